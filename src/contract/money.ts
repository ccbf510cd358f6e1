const exactFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats US dollars for tables, statements and files: `$1,250.00`. */
export const formatMoney = (dollars: number): string => exactFormat.format(dollars)

/** Formats US dollars for sentences, cards and reports, with cents only where there are some: `$1,250`. */
export const formatBriefMoney = (dollars: number): string => formatMoney(dollars).replace(/\.00$/, '')
