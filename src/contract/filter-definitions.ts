import type { z } from 'zod'
import { queryCheckbox, queryId, queryIds, queryOneOf, querySearch } from './fields.ts'

/** The filters of a list, each defined once: its parameter, its condition in SQL and its control follow from its kind. */

export type FilterDefinition<Query extends z.ZodType = z.ZodType> = {
  /**
   * search: contains this text; exact, choice: equals it; anyOf: is one of them; check: is set. A `custom` filter gets its SQL and its
   * control by name.
   */
  kind: 'search' | 'exact' | 'choice' | 'anyOf' | 'check' | 'custom'
  /** Schema of the parameter. */
  query: Query
  /** Label of the control; for the filter of a field, that of the field unless given. */
  label?: string
  /** For a choice: its values in order. */
  choices?: readonly { value: string; label: string }[]
  /** The columns that it is about, if they are not the one of its name. */
  columns?: readonly string[]
}
export type FilterDefinitions = Readonly<Record<string, FilterDefinition>>
type FilterOptions = Pick<FilterDefinition, 'label' | 'columns'>

/** Free text that any of its columns contains. */
export const bySearch = ({ max, ...options }: FilterOptions & { max?: number } = {}) =>
  ({ kind: 'search', query: querySearch(max), ...options }) satisfies FilterDefinition
/** Exactly this value. */
export const byExact = <Query extends z.ZodType>(query: Query, options: FilterOptions = {}) =>
  ({ kind: 'exact', query, ...options }) satisfies FilterDefinition
/** The id of another row. */
export const byId = (options: FilterOptions = {}) => byExact(queryId, options)
/** Any of these values. */
export const byAnyOf = <Query extends z.ZodType>(query: Query, options: FilterOptions = {}) =>
  ({ kind: 'anyOf', query, ...options }) satisfies FilterDefinition
/** Any of these ids of other rows. */
export const byIds = (options: FilterOptions = {}) => byAnyOf(queryIds, options)
/** One of these values. */
export const byChoice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  labels: Readonly<Record<Values[number], string>>,
  options: FilterOptions = {},
) =>
  ({
    kind: 'choice',
    query: queryOneOf(values),
    choices: values.map((value: Values[number]) => ({ value, label: labels[value] })),
    ...options,
  }) satisfies FilterDefinition
/** A checkbox. */
export const byCheck = (options: FilterOptions = {}) =>
  ({ kind: 'check', query: queryCheckbox, ...options }) satisfies FilterDefinition
/** Anything else, with its own schema. */
export const byQuery = <Query extends z.ZodType>(query: Query, options: FilterOptions = {}) =>
  ({ kind: 'custom', query, ...options }) satisfies FilterDefinition

type FilterShape<Filters> = {
  -readonly [Name in keyof Filters]: Filters[Name] extends { query: infer Query extends z.ZodType } ? Query : never
}
export type FilterQuery<Filters> = { [Name in keyof Filters]?: z.output<FilterShape<Filters>[Name]> }

/** Returns the parameters of a list's filters. */
export const getFilterShape = <Filters extends FilterDefinitions>(filters: Filters) =>
  Object.fromEntries(Object.entries(filters).map(([name, { query }]) => [name, query])) as FilterShape<Filters> // one each
