import {
  type BadgeFilterName,
  type ChoiceFilterName,
  checkFilterList,
  choiceFilterList,
  choiceFilters,
  type FacetTest,
  testChoice,
} from '../filters.ts'

/** A counter: the number of leads that pass the test, or with `sumOf` the sum of a column. `filter` is the one whose badge it is. */
type LeadCounter = {
  test: FacetTest | 'missed' | null
  sumOf?: 'client_value' | 'client_profit' | 'rating'
  filter?: BadgeFilterName
}

/** Returns the name of the counter for one value of a filter. */
export const choiceCounterName = (name: ChoiceFilterName, value: string): string =>
  `${name}_${(choiceFilters[name].values as readonly string[]).indexOf(value) + 1}`

export const sumCounterName = (name: BadgeFilterName): string => `${name}_sum`

/**
 * The columns of `lead_sums`, by name: all leads, the missed ones, and what each badge counts or adds up. They derive from the
 * filters: a new filter adds a column here, in a migration, and needs the sums rebuilt.
 */
export const leadCounters: Readonly<Record<string, LeadCounter>> = {
  total: { test: null },
  missed: { test: 'missed' },
  ...Object.fromEntries(
    choiceFilterList.flatMap(([name, { values }]) =>
      values.map((value): [string, LeadCounter] => [
        choiceCounterName(name, value),
        { filter: name, test: testChoice(name, value) },
      ]),
    ),
  ),
  ...Object.fromEntries(
    checkFilterList.flatMap(([name, { test, sumOf, averageOf }]): [string, LeadCounter][] => {
      const added = sumOf ?? averageOf
      return [
        [name, { filter: name, test }],
        ...(added ? [[sumCounterName(name), { filter: name, test, sumOf: added }] as [string, LeadCounter]] : []),
      ]
    }),
  ),
}

export const leadCounterNames: readonly string[] = Object.keys(leadCounters)
