import type { ReactNode } from 'react'
import { ApiError, call } from '#ui/data/api.ts'
import { readAgain, useApi } from '#ui/data/useApi.ts'
import { confirm } from '#ui/feedback/confirm.tsx'
import type { Choice } from '#ui/filters/ChoiceFilter.tsx'
import { type Draft, FormDialog } from '#ui/form/FormDialog.tsx'
import { type FieldControl, text, textarea } from '#ui/form/fields.tsx'
import { type GoogleLocation, googleLocations, newerLocation } from '../contract.ts'
import { between, type Category, type Field, inWords, labels } from '../labels.ts'
import classes from './GoogleLocations.module.css'
import { Changes } from './LocationChanges.tsx'

/** Why Google could not be asked to change it; null where it can. */
export function whyNot({ vanished_since, needs_relink_since }: GoogleLocation): string | null {
  if (vanished_since) return 'Google does not have this location any more'
  return needs_relink_since ? 'Its account must be linked again first' : null
}
export const mayEdit = (location: GoogleLocation) => whyNot(location) === null

type LocationDraft = Draft<typeof googleLocations.update>

/** Saving asks Google in a dry run, shows what would become what, and then does it. */
export function EditLocation({ location, onClose }: { location: GoogleLocation; onClose: () => void }) {
  const params = { id: location.id }
  const { data } = useApi(googleLocations.categories, { params }, { kept: true })
  const own = [...(location.primary_category ? [location.primary_category] : []), ...location.categories]
  return (
    <FormDialog
      title="Edit Location"
      call={googleLocations.update}
      params={params}
      start={startOf(location)}
      fields={fieldsWith(withOwn(data?.categories ?? [], own), placesOf(location))}
      layout={(drawn) => <Arranged location={location} fields={drawn} />}
      newer={{ read: newerForm, shown: (_, value) => inWords(value) }}
      review={async (body) => {
        const { changes } = await call(googleLocations.check, { params, body })
        if (changes.length === 0) return true
        return confirm('Change this at Google?', { label: 'Change', content: <Changes changes={changes} /> })
      }}
      says={({ edit }) =>
        edit?.state === 'waiting'
          ? 'The change waits its turn: Google takes ten edits of a location a minute'
          : googleLocations.update.says
      }
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

/** As it will be when what waits is done. */
function startOf(location: GoogleLocation): LocationDraft {
  const now = { ...location, ...(location.edit?.state === 'waiting' ? location.edit.fields : {}) }
  return {
    title: now.title,
    primary_category: now.primary_category,
    categories: now.categories,
    phone: now.phone,
    website: now.website,
    address: now.address,
    service_area: now.service_area,
    description: now.description,
    version: location.version,
  }
}

/** The form as somebody else has saved it meanwhile; the list is then as old. */
function newerForm(problem: unknown) {
  const newer = problem instanceof ApiError ? newerLocation.safeParse(problem.body) : undefined
  if (!newer?.success) return undefined
  void readAgain([googleLocations.list])
  return startOf(newer.data.newer)
}

type Chosen = { name: string; displayName?: string | undefined }

function fieldsWith(categories: readonly Category[], places: readonly string[]) {
  const choices: Choice<string>[] = categories.map(({ name, displayName }) => ({ value: name, label: displayName }))
  const byName = new Map(categories.map((category) => [category.name, category]))
  const chosen = (name: string): Chosen => byName.get(name) ?? { name }
  const primary: FieldControl<Chosen> = (at, { One }) => (
    <One
      label={labels.primary_category}
      at={{ ...at, value: at.value?.name, set: (name) => at.set(name === null ? null : chosen(name)) }}
      choices={choices}
      searchable
    />
  )
  const others: FieldControl<Chosen[]> = (at, { Many }) => (
    <Many
      label={labels.categories}
      at={{
        ...at,
        value: at.value?.map(({ name }) => name),
        // In the order in which Google has them; new ones come last.
        set: (picked) => {
          const stay = (at.value ?? []).filter(({ name }) => picked?.includes(name))
          const added = (picked ?? []).filter((name) => !stay.some((one) => one.name === name))
          at.set([...stay, ...added.map(chosen)])
        },
      }}
      choices={choices}
    />
  )
  /** New places need an id that only Google's own page finds. */
  const area: FieldControl<string> = (at, { Many }) =>
    places.length > 0 && (
      <Many
        label={labels.service_area}
        at={{
          ...at,
          value: at.value?.split(between) ?? [],
          set: (picked) => at.set((picked ?? []).join(between) || null),
        }}
        choices={places.map((place) => ({ value: place, label: place }))}
      />
    )
  return {
    title: text(labels.title),
    primary_category: primary,
    categories: others,
    phone: text(labels.phone),
    website: text(labels.website, { placeholder: 'https://' }),
    address: text(labels.address, { hint: 'Like 100 Main St, Suite 5, Austin, TX 78701' }),
    service_area: area,
    description: textarea(labels.description, { rows: 6, hint: 'Google takes up to 750 characters.' }),
    version: () => null, // sent as it was read, so that nobody saves over a newer location
  }
}

const withOwn = (categories: readonly Category[], own: readonly Category[]): Category[] => [
  ...categories,
  ...own.filter(({ name }) => !categories.some((one) => one.name === name)),
]
const placesOf = ({ service_area }: GoogleLocation) => service_area?.split(between) ?? []

/** Related fields beside each other, under whose account they are changed with. */
function Arranged({ location, fields }: { location: GoogleLocation; fields: Record<Field | 'version', ReactNode> }) {
  return (
    <>
      <p className={classes.whose}>
        Changed at Google with the account <b>{location.email}</b>.
        {location.pending.length > 0 && ` Google still reviews: ${location.pending.join(', ')}.`}
        {location.edit?.state === 'waiting' && ' Edits that wait their turn are shown as done.'}
      </p>
      <div className={classes.fields}>
        {order.map((name) => (
          <div key={name} className={pairs.has(name) ? undefined : classes.whole}>
            {fields[name]}
          </div>
        ))}
      </div>
    </>
  )
}
const order: Field[] = [
  'title',
  'primary_category',
  'categories',
  'phone',
  'website',
  'address',
  'service_area',
  'description',
]
const pairs = new Set<Field>(['primary_category', 'categories', 'phone', 'website'])
