/** An earlier time of a column, in SQL; Citus only allows immutable functions of a column in an update. */
export const earlier = (column: string, seconds: number): string =>
  `(${column} at time zone 'utc' - ${seconds} * interval '1 second') at time zone 'utc'`
