import { z } from 'zod'
import type { Asking } from './connection.ts'
import { pagesOf } from './paging.ts'

export type Category = { name: string; displayName: string }

/** Every category of a region, a hundred at a time. Google finds by the front of a name only, so all are read and kept. */
export async function* categoryPages(ask: Asking, regionCode: string): AsyncGenerator<Category[]> {
  const query = { regionCode, languageCode: 'en', view: 'BASIC', pageSize: '100' }
  const pages = pagesOf((pageToken) => ask('business', 'categories', { query: { ...query, pageToken } }))
  for await (const page of pages) yield listed.parse(page).categories
}

const listed = z.looseObject({
  categories: z.array(z.looseObject({ name: z.string(), displayName: z.string() })).default([]),
})
