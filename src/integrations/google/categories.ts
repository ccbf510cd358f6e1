import { z } from 'zod'
import type { GoogleFetch } from './connection.ts'
import { parseGoogleAnswer } from './errors.ts'
import { iteratePages } from './paging.ts'

type GoogleCategory = { name: string; displayName: string }

/** Reads all categories of a region, a hundred at a time. They are stored, because Google searches only by the start of a name. */
export async function* readCategoryPages(ask: GoogleFetch, regionCode: string): AsyncGenerator<GoogleCategory[]> {
  const query = { regionCode, languageCode: 'en', view: 'BASIC', pageSize: '100' }
  const pages = iteratePages((pageToken) => ask('business', 'categories', { query: { ...query, pageToken } }))
  for await (const page of pages) yield parseGoogleAnswer(categoriesPageSchema, page).categories
}

const categoriesPageSchema = z.looseObject({
  categories: z.array(z.looseObject({ name: z.string(), displayName: z.string() })).default([]),
})
