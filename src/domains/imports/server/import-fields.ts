import type { FieldDefinition, FieldDefinitions, ImportedField } from '#contract/field-definitions.ts'
import { amountHint, dayHint, getFilledCell, parseReadAmount, parseYesNo, yesNoHint } from './cells.ts'
import type { ImportField, LineCells } from './importable.ts'

const fieldReaders: Partial<Record<FieldDefinition['kind'], ImportField['reads']>> = {
  money: 'amount',
  count: 'amount',
  date: 'day',
}
const formatHints: Partial<Record<FieldDefinition['kind'], string>> = {
  money: amountHint,
  date: dayHint,
  flag: yesNoHint,
}

/** Returns the import's fields, by name. A field that the form requires is required here too. */
export function buildImportFields<F extends FieldDefinitions>(fields: F) {
  const imported = Object.entries(fields).flatMap(([name, field]) => {
    if (!field.import) return []
    const {
      also,
      about,
      choices,
      required,
      isReference,
      isSecret,
      parse,
      name: ownName = name,
    } = field.import === true ? {} : field.import
    const hint = about ?? formatHints[field.kind]
    const built: ImportField = {
      name: ownName,
      label: field.label,
      required: required ?? (field.form !== undefined && !field.form.safeParse(undefined).success),
      ...(also && { also }),
      ...(isReference && { isReference }),
      ...(isSecret && { isSecret }),
      ...(hint && { about: hint }),
      ...(choices && { choices }),
      ...(!parse && fieldReaders[field.kind] && { reads: fieldReaders[field.kind] }),
    }
    return [[name, built]]
  })
  return Object.fromEntries(imported) as Record<ImportedField<F>, ImportField> // the same condition as in the type
}

/** Parses the cells of a line as the form would send them, except custom fields. */
export function parseFieldCells(fields: FieldDefinitions, cells: LineCells): Record<string, unknown> {
  const plain = Object.entries(fields).filter(([, field]) => field.import && field.kind !== 'custom')
  return Object.fromEntries(plain.map(([name, field]) => [name, parseCell(field, cells, name)]))
}

function parseCell({ kind, choices = {}, import: how }: FieldDefinition, cells: LineCells, name: string): unknown {
  const filled = getFilledCell(cells, name)
  if (typeof how === 'object' && how.parse) return filled && how.parse(filled)
  switch (kind) {
    case 'count':
    case 'money':
      return parseReadAmount(filled)
    case 'date':
      return filled
    case 'flag':
      return filled && parseYesNo(filled)
    case 'choice':
      return findChoice(choices, filled) ?? filled
    default:
      return cells[name]
  }
}

/** Finds a choice by its label, in any case. */
const findChoice = (choices: Readonly<Record<string, string>>, wanted: string | undefined) =>
  Object.entries(choices).find(([, label]) => label.toLowerCase() === wanted?.toLowerCase())?.[0]
