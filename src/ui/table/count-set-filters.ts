/** Counts the filters that are set; both ends of a range are one. */
export const countSetFilters = <Name extends string>(names: readonly Name[], isSet: (name: Name) => boolean): number =>
  new Set(names.filter(isSet).map((name) => name.replace(/(?:^|_)(?:from|to)$/, ''))).size
