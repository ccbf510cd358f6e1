import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { LegacyRow } from '#integrations/legacy/legacy-server.ts'

/** Rows in a tenth of their memory: each part that is added is packed, and unpacked when it is listed. */
export class PackedRows {
  #parts: Buffer[] = []

  clear(): void {
    this.#parts = []
  }

  add(rows: readonly LegacyRow[]): void {
    if (rows.length > 0) this.#parts.push(deflateRawSync(JSON.stringify(rows)))
  }

  /** The last row first, a part at a time. */
  *listBackwards(): Generator<LegacyRow[]> {
    for (const part of this.#parts.toReversed()) {
      const rows: LegacyRow[] = JSON.parse(inflateRawSync(part).toString()) // as `add` has packed them
      yield rows.reverse()
    }
  }
}
