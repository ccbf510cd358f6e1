import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { byId, byQuery, bySearch } from '#contract/filter-definitions.ts'
import { instantField } from '#contract/instants.ts'
import { queryHost } from '#contract/web-address.ts'

const text = { row: z.string() } as const
const optionalText = { row: z.string().nullable() } as const
const onlyInFile = { column: { only: 'file' } } as const

export const outgoingLinkFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  url: { kind: 'link', label: 'URL', ...text, column: { width: 256, pinned: 'start' }, sort: true },
  anchor: { kind: 'longText', label: 'Anchor', ...optionalText, column: { width: 168 }, sort: true },
  /** The URL of the site that has the link. */
  network_site: { kind: 'link', label: 'Network Site', ...text, column: { width: 192 }, sort: true },
  network_site_id: { kind: 'count', label: 'Network Site', row: idField },
  rel: { kind: 'text', label: 'Rel', ...optionalText, column: { width: 100 }, sort: true },
  /** The content type of the page with the link. */
  type: { kind: 'text', label: 'Content Type', ...optionalText, column: { width: 112 }, sort: true },
  page: { kind: 'link', label: 'Page', ...text, ...onlyInFile },
  first_seen_at: { kind: 'instant', label: 'First Seen', row: instantField, ...onlyInFile },
  last_seen_at: { kind: 'instant', label: 'Last Seen', row: instantField, ...onlyInFile },
  /** When a crawl no longer found the link. */
  lost_at: { kind: 'instant', label: 'Lost', row: instantField.nullable(), ...onlyInFile },
  /** The three days in one cell. */
  seen: { kind: 'custom', label: 'Seen', column: { width: 186, only: 'table' } },
})

export const outgoingLinkFilters = {
  /** Searches the URL and the anchor. */
  q: bySearch({ label: 'Outgoing Link', max: 2048 }),
  network_site_q: bySearch({ label: 'Network Site', max: 2048 }),
  host: byQuery(queryHost, { label: 'Host' }),
  network_site_id: byId(),
}
