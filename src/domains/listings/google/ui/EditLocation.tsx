import type { ReactNode } from 'react'
import { callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldControl } from '#ui/form/field-binding.ts'
import grid from '#ui/form/field-grid.module.css'
import type { FormDraft } from '#ui/form/form-dialog-props.ts'
import arrange from '#ui/layout/arrange.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import { type GoogleLocation, googleLocationsContract, type LocationChange } from '../contract.ts'
import {
  formatLocationValue,
  type LocationCategory,
  type LocationField,
  locationFieldLabels,
  placeSeparator,
} from '../labels.ts'
import classes from './GoogleLocations.module.css'

/** Returns why the location cannot be edited; null if it can. */
export function getEditBlocker({ vanished_since, needs_relink_since }: GoogleLocation): string | null {
  if (vanished_since) return 'Google no longer has this location'
  return needs_relink_since ? 'Link the Google account again first' : null
}
export const canEditLocation = (location: GoogleLocation) => getEditBlocker(location) === null

type LocationDraft = FormDraft<typeof googleLocationsContract.update>

/** Saving first runs a dry run at Google and asks the user to confirm the changes. */
export function EditLocationDialog({ location, onClose }: { location: GoogleLocation; onClose: () => void }) {
  const params = { id: location.id }
  const { data } = useApi(googleLocationsContract.categories, { params }, { kept: true })
  const own = [...(location.primary_category ? [location.primary_category] : []), ...location.categories]
  return (
    <FormDialog
      title="Edit Location"
      call={googleLocationsContract.update}
      params={params}
      start={toLocationDraft(location)}
      fields={buildLocationFields(includeOwnCategories(data?.categories ?? [], own), splitServiceArea(location))}
      layout={(drawn) => <LocationFieldLayout location={location} fields={drawn} />}
      conflict={{ read: toLocationDraft, shown: (_, value) => formatLocationValue(value) }}
      review={async (body) => {
        const { changes } = await callApi(googleLocationsContract.check, { params, body })
        if (changes.length === 0) return true
        return confirmAction('Change this at Google?', {
          label: 'Change',
          content: <LocationChanges changes={changes} />,
        })
      }}
      success={({ edit }) =>
        edit?.state === 'waiting'
          ? 'The change is queued: Google accepts ten edits of a location a minute'
          : googleLocationsContract.update.success
      }
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

/** Returns the location as it will be once its waiting edits are sent. */
function toLocationDraft(location: GoogleLocation): LocationDraft {
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

type ChosenCategory = { name: string; displayName?: string | undefined }

const buildLocationFields =
  (categories: readonly LocationCategory[], places: readonly string[]) =>
  ({ textControl, textareaControl, selectControl, multiSelectControl }: ControlSet) => {
    const choices: SelectChoice<string>[] = categories.map(({ name, displayName }) => ({
      value: name,
      label: displayName,
    }))
    const byName = new Map(categories.map((category) => [category.name, category]))
    const chosen = (name: string): ChosenCategory => byName.get(name) ?? { name }
    const primary: FieldControl<ChosenCategory> = (at) =>
      selectControl(locationFieldLabels.primary_category, choices, { searchable: true })({
        ...at,
        value: at.value?.name,
        set: (name) => at.set(name === null ? null : chosen(name)),
      })
    const others: FieldControl<ChosenCategory[]> = (at) =>
      multiSelectControl(
        locationFieldLabels.categories,
        choices,
      )({
        ...at,
        value: at.value?.map(({ name }) => name),
        // Keeps Google's order, with new categories last.
        set: (picked) => {
          const stay = (at.value ?? []).filter(({ name }) => picked?.includes(name))
          const added = (picked ?? []).filter((name) => !stay.some((one) => one.name === name))
          at.set([...stay, ...added.map(chosen)])
        },
      })
    /** Places can only be removed: new ones need an id that only Google's own page offers. */
    const area: FieldControl<string> = (at) =>
      places.length > 0 &&
      multiSelectControl(
        locationFieldLabels.service_area,
        places.map((place) => ({ value: place, label: place })),
      )({
        ...at,
        value: at.value?.split(placeSeparator) ?? [],
        set: (picked) => at.set((picked ?? []).join(placeSeparator) || null),
      })
    return {
      title: textControl(locationFieldLabels.title),
      primary_category: primary,
      categories: others,
      phone: textControl(locationFieldLabels.phone),
      website: textControl(locationFieldLabels.website, { placeholder: 'https://' }),
      address: textControl(locationFieldLabels.address, { hint: 'Like 100 Main St, Suite 5, Austin, TX 78701' }),
      service_area: area,
      description: textareaControl(locationFieldLabels.description, {
        rows: 6,
        hint: 'Google accepts up to 750 characters.',
      }),
    }
  }

const includeOwnCategories = (
  categories: readonly LocationCategory[],
  own: readonly LocationCategory[],
): LocationCategory[] => [...categories, ...own.filter(({ name }) => !categories.some((one) => one.name === name))]
const splitServiceArea = ({ service_area }: GoogleLocation) => service_area?.split(placeSeparator) ?? []

/** Related fields side by side, below the account that edits them. */
function LocationFieldLayout({
  location,
  fields,
}: {
  location: GoogleLocation
  fields: Record<LocationField, ReactNode>
}) {
  return (
    <>
      <p className={`${text.small} ${classes.whose}`}>
        Changed at Google with the account <b>{location.email}</b>.
        {location.pending.length > 0 && ` Google is still reviewing: ${location.pending.join(', ')}.`}
        {location.edit?.state === 'waiting' && ' Queued edits are shown as done.'}
      </p>
      <div className={`${grid.fields} ${arrange.skipEmpty}`}>
        {fieldOrder.map((name) => (
          <div key={name} className={pairedFields.has(name) ? undefined : grid.whole}>
            {fields[name]}
          </div>
        ))}
      </div>
    </>
  )
}
const fieldOrder: LocationField[] = [
  'title',
  'primary_category',
  'categories',
  'phone',
  'website',
  'address',
  'service_area',
  'description',
]
const pairedFields = new Set<LocationField>(['primary_category', 'categories', 'phone', 'website'])

/** The old and new value of each changed field. */
function LocationChanges({ changes }: { changes: readonly LocationChange[] }) {
  return (
    <div className={classes.changes}>
      <PlainTable
        columns={[
          { title: 'Field', isName: true, cell: ({ field }) => locationFieldLabels[field] },
          { title: 'Now', cell: ({ before }) => (before === null ? nothing : <del data-kind="bad">{before}</del>) },
          { title: 'After', cell: ({ after }) => (after === null ? nothing : <ins data-kind="ok">{after}</ins>) },
        ]}
        rows={changes}
        rowKey={({ field }) => field}
      />
      <p className={text.small}>Google checked these changes and would accept them.</p>
    </div>
  )
}

const nothing = <span className={text.small}>nothing</span>
