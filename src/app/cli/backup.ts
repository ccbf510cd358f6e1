import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { countOf } from '#contract/count-of.ts'
import { findOpenMode, writeBackup } from '#core/backup/back-up.ts'
import { HttpError } from '#core/http/errors.ts'
import { type ErasureList, parseErasureList, replayErasures } from '#domains/audit/erasures/server/erasure-list.ts'
import { backupPlan, declaredParts } from '../server/parts.ts'
import { printLine, restoreFromFolder, withAppContext } from './run-command.ts'

export function defineBackupCommand(command: Command): void {
  command
    .description('write database and uploads into a new folder, while people keep working')
    .argument('<folder>')
    .action((folder: string) =>
      withAppContext(async (context) => {
        const { tables, uploads, missing } = await writeBackup(context, backupPlan, resolve(folder))
        const parent = dirname(resolve(folder))
        const mode = findOpenMode(parent)
        if (mode)
          process.stderr.write(
            `Other accounts of this machine may open ${parent} (mode ${mode}); the backup in it is closed to them\n`,
          )
        if (missing > 0)
          process.stderr.write(
            `Missing where uploads are stored, and so in the backup: ${missing}. Do DATA_DIR and S3_* name where they were stored?\n`,
          )
        const rows = tables.reduce((sum, table) => sum + table.rows, 0)
        printLine(
          `${countOf(rows, 'row')} of ${countOf(tables.length, 'table')} and ${countOf(uploads.length, 'upload')} are in ${folder}`,
        )
        printLine('The key is not: keep SECRET_KEY, or the file secret.key in DATA_DIR, somewhere else')
      }),
    )
}

export function defineRestoreCommand(command: Command): void {
  command
    .description('restore a backup into an empty database, and check that its secrets decrypt')
    .argument('<folder>')
    .option('--erasures <file>', 'the list of erased people, if it is not stored with the uploads')
    .action(async (folder: string, options: { erasures?: string }) => {
      // Before anything is restored: a database in use takes no second restore.
      const erasures = options.erasures === undefined ? [] : readErasureFile(resolve(options.erasures))
      const { rows, uploads, secrets } = await restoreFromFolder(resolve(folder), erasures)
      const back = `${countOf(rows, 'row')} and ${countOf(uploads, 'upload')}`
      printLine(`Restored: ${back}. Opened with the key: ${countOf(secrets, 'secret')}`)
      // Erases people that the backup still contains.
      await withAppContext(async (context) => {
        const replayed = await replayErasures({ ...context, ...declaredParts })
        if (replayed > 0)
          printLine(replayed === 1 ? '1 person was erased again' : `${replayed} people were erased again`)
      })
    })
}

function readErasureFile(file: string): ErasureList {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new HttpError(404, `${file} cannot be read`)
  }
  return parseErasureList(text)
}
