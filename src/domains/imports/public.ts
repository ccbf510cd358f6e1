export {
  amountHint,
  blankToNull,
  dayHint,
  describeUnusableDate,
  findByName,
  getFilledCell,
  isSameName,
  parseIsActive,
  parseReadAmount,
  parseSureNumber,
  parseYesNo,
  readNamedId,
  splitValues,
  toCellProblems,
  yesNoHint,
} from './server/cells.ts'
export { readFieldReadings } from './server/column-readings.ts'
export { buildImportFields, parseFieldCells } from './server/import-fields.ts'
export { readFirstValues } from './server/import-file.ts'
export {
  type ColumnMapping,
  dropReasonTitle,
  type FileLine,
  type FindUses,
  type FirstValues,
  findMissingFields,
  guessColumns,
  type ImportCaller,
  type ImportDefinition,
  type ImportDefinitions,
  type ImportField,
  isSameTitle,
  type LineCells,
  type LineProblem,
  mayHold,
  type ParsedLine,
  type RowReference,
} from './server/importable.ts'
export { readCsvRecords } from './server/read-records.ts'
export { splitTitleZone } from './server/title-zone.ts'
export { findEmptyFields, type LineOutcome, validateLines } from './server/validate-rows.ts'
export { findChangedSince, markKnownRows, removeUnchanged, writeEach } from './server/write-rows.ts'
