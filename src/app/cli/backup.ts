import { resolve } from 'node:path'
import type { Command } from 'commander'
import { backUp } from '#core/backup/back-up.ts'
import { restoreHere, say, withHouse } from './run-command.ts'

export function backupCommand(command: Command): void {
  command
    .description('write database and uploads into a new folder, while people go on working')
    .argument('<folder>')
    .action((folder: string) =>
      withHouse(async (house) => {
        const { tables, uploads } = await backUp(house, resolve(folder))
        const rows = tables.reduce((sum, table) => sum + table.rows, 0)
        say(`${rows} rows of ${tables.length} tables and ${uploads.length} uploads are in ${folder}`)
        say('The key is not: keep SECRET_KEY, or the file secret.key of DATA_DIR, somewhere else')
      }),
    )
}

export function restoreCommand(command: Command): void {
  command
    .description('put a backup into an empty database, and prove that its secrets open')
    .argument('<folder>')
    .action(async (folder: string) => {
      const { rows, uploads, secrets } = await restoreHere(resolve(folder))
      say(`${rows} rows and ${uploads} uploads are back; ${secrets} secrets were opened`)
    })
}
