type PageQuery = { page: number; per_page: number }
/** An ordered query that has no limit yet. */
type OrderedQuery<Row> = { limit: (count: number) => { offset: (count: number) => PromiseLike<Row[]> } }

/** Reads one page of a list; `count` is the number of all rows. */
export async function readPage<Row>(
  rows: OrderedQuery<Row>,
  count: PromiseLike<number>,
  { page, per_page }: PageQuery,
): Promise<{ data: Row[]; total: number }> {
  const [data, total] = await Promise.all([rows.limit(per_page).offset((page - 1) * per_page), count])
  return { data, total }
}
