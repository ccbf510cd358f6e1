/** What a backup must know of the product's tables. The app hands it in. */
export type BackupPlan = {
  /** Tables that a start fills again by itself: they are left out. */
  derivedTables: readonly string[]
  /** Every column that holds something encrypted, bound to `table.column:id`; `id` is the column that names the row. */
  encryptedColumns: readonly { table: string; column: string; id: string }[]
  /** SQL that answers the `key` of each uploaded file. */
  uploadKeys: string
  /** SQL that runs when the rows are back, in the same transaction; left out where the backup is older than the table. */
  afterRows: readonly { table: string; sql: string }[]
  /** SQL that answers a row where the database is in use; asked only where `marker`, one of its tables, exists. */
  inUse: { marker: string; query: string }
}
