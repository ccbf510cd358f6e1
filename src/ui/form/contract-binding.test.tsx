import { expect, test } from 'vitest'
import { z } from 'zod'
import { allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, idField, querySearch, requiredText, versionField } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { buildApiUrl, callApi } from '../data/api.ts'
import { useAction } from '../data/useAction.ts'
import { useApi } from '../data/useApi.ts'
import { SearchFilter, searchFilter } from '../filters/filters.tsx'
import { DataTable } from '../table/DataTable.tsx'
import { ListScreen } from '../table/ListScreen.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { useArray } from '../table/useArray.ts'
import { useList } from '../table/useList.ts'
import type { ControlSet } from './control-set.ts'
import { FormDialog } from './FormDialog.tsx'

/**
 * Types bind the screens to the contract: the errors below must not compile. `tsc` proves it, because an unused
 * @ts-expect-error is an error. Nothing here is rendered.
 */

const plant = z.object({ id: idField, name: z.string(), height: z.number() })
const plants = {
  list: endpoint('GET /plant', {
    allow: allowEveryone,
    ...pagedQuery({
      row: plant,
      sorts: ['name', 'height'],
      sort: 'name',
      perPage: 50,
      filters: { name: querySearch() },
    }),
  }),
  all: endpoint('GET /plant/all', { allow: allowEveryone, response: z.array(plant) }),
  get: endpoint('GET /plant/:id', { allow: allowEveryone, response: plant }),
  update: endpoint('PUT /plant/:id', {
    allow: allowEveryone,
    body: z.object({
      name: requiredText('Please input name'),
      height: z.number(),
      kind: z.enum(['tree', 'herb']),
      rare: flagField,
      version: versionField,
    }),
    response: plant,
    conflict: { newer: plant },
  }),
}
type Plant = z.infer<typeof plant>

const kinds = [
  { value: 'tree', label: 'Tree' },
  { value: 'herb', label: 'Herb' },
] as const
const fields = (controls: ControlSet) => ({
  name: controls.textControl('Name'),
  height: controls.moneyControl('Height'),
  kind: controls.selectControl('Kind', kinds),
  rare: controls.toggleControl('Rare'),
})
const start = { name: '', height: null, kind: null, rare: 0, version: 1 } as const
const dialog = { title: 'Plant', params: { id: 1 }, start, opened: false, onClose: () => {} }
const listed = { call: plants.update, title: 'Plant', start: () => start }
const columns: TableColumn<Plant, 'name' | 'height'>[] = [
  { key: 'name', title: 'Name', sort: 'name', cell: (row) => row.name },
]

function Filters() {
  const list = useList(plants.list)
  const tall: number = useList(plants.list).rows?.[0]?.height ?? 0
  // @ts-expect-error: the list's query knows no such filter
  list.filter('colour')
  // @ts-expect-error: the filter is text
  list.filter('name').set(3)
  // @ts-expect-error: the server does not sort by it
  list.sortBy?.('id')
  return (
    <>
      <SearchFilter label="Name" {...list.filter('name')} />
      <ListScreen title={`${tall}`} list={list} columns={columns} filters={{ name: searchFilter('Name') }} />
      {/* @ts-expect-error: the list's query knows no such filter */}
      <ListScreen title="Plants" list={list} columns={columns} filters={{ colour: searchFilter('Colour') }} />
    </>
  )
}

function Sorts() {
  const list = useList(plants.list)
  return (
    <>
      <DataTable label="Plants" list={list} columns={columns} />
      {/* @ts-expect-error: the server does not sort by it */}
      <DataTable label="Plants" list={list} columns={[{ key: 'id', title: 'Id', sort: 'id', cell: (row) => row.id }]} />
      {/* @ts-expect-error: a plant has no such thing */}
      <DataTable label="Plants" list={list} columns={[{ key: 'id', title: 'Id', cell: (row) => row.colour }]} />
      {/* @ts-expect-error: a plain array is not sorted by the server */}
      <DataTable label="Plants" list={useArray(plants.all)} columns={columns} />
    </>
  )
}

const toForm = ({ name, height }: Plant) => ({ ...start, name, height })
const stoneToForm = ({ weight }: { weight: number }) => ({ ...start, height: weight })

const { update } = plants

function Forms() {
  const list = useList(plants.list)
  const incomplete = (controls: ControlSet) => {
    const { rare: _, ...others } = fields(controls)
    return others
  }
  const stones = [{ value: 'stone', label: 'Stone' }] as const
  const withStones = (controls: ControlSet) => ({
    ...fields(controls),
    kind: controls.selectControl('Kind', stones),
  })
  const withColour = (controls: ControlSet) => ({ ...fields(controls), colour: controls.textControl('Colour') })
  return (
    <>
      <FormDialog {...dialog} call={update} fields={fields} />
      <FormDialog {...dialog} call={update} fields={fields} conflict={{ read: toForm, shown: String }} />
      {/* @ts-expect-error: the 409 carries a plant */}
      <FormDialog {...dialog} call={update} fields={fields} conflict={{ read: stoneToForm, shown: String }} />
      {/* @ts-expect-error: a field of the body has no control */}
      <FormDialog {...dialog} call={update} fields={incomplete} />
      {/* @ts-expect-error: the body has no such field */}
      <FormDialog {...dialog} call={update} fields={withColour} />
      {/* @ts-expect-error: nor may a function written in place return it */}
      <FormDialog {...dialog} call={update} fields={(all) => ({ ...fields(all), colour: all.textControl('Colour') })} />
      <ListScreen title="Plants" list={list} columns={columns} update={{ ...listed, fields }} />
      {/* @ts-expect-error: the body has no such field */}
      <ListScreen title="Plants" list={list} columns={columns} update={{ ...listed, fields: withColour }} />
      {/* @ts-expect-error: a field of the body has no control */}
      <ListScreen title="Plants" list={list} columns={columns} update={{ ...listed, fields: incomplete }} />
      {/* @ts-expect-error: a number cannot be typed as text */}
      <FormDialog {...dialog} call={update} fields={(all) => ({ ...fields(all), height: all.textControl('Height') })} />
      {/* @ts-expect-error: there is no such kind */}
      <FormDialog {...dialog} call={update} fields={withStones} />
      {/* @ts-expect-error: the form must start with every field */}
      <FormDialog {...dialog} call={update} fields={fields} start={{ name: '' }} />
      {/* @ts-expect-error: the address names an id */}
      <FormDialog {...dialog} call={update} fields={fields} params={{ name: 'fern' }} />
      {/* @ts-expect-error: a call without a body is no form */}
      <FormDialog {...dialog} call={plants.get} fields={fields} />
    </>
  )
}

function Calls() {
  const one = useApi(plants.get, { params: { id: 1 } })
  const height: number | undefined = one.data?.height
  // @ts-expect-error: the address names an id
  useApi(plants.get)
  // @ts-expect-error: the answer is a number
  const name: string | undefined = one.data?.height
  const { run } = useAction(plants.update)
  void run({ params: { id: 1 }, body: { name: 'Fern', height: 1, kind: 'herb', rare: 1 } })
  // @ts-expect-error: the body is missing
  void run({ params: { id: 1 } })
  // @ts-expect-error: there is no such kind
  void callApi(plants.update, { params: { id: 1 }, body: { name: 'Fern', height: 1, kind: 'stone', rare: 1 } })
  return [height, name]
}

test('types bind screens to their contract', () => {
  for (const screen of [Filters, Sorts, Forms, Calls]) expect(screen).toBeTypeOf('function')
})

test('an address contains the parameters and the query of its contract', () => {
  const input = { params: { id: 7 }, query: { ids: [3, 9], name: 'a&b', empty: '', none: undefined } }
  expect(buildApiUrl(plants.get, input)).toBe('/api/plant/7?ids=3,9&name=a%26b')
})
