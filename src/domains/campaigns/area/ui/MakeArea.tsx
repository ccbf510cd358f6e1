import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Dispatch, type FormEvent, type RefObject, type SetStateAction, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { readSureNumber } from '#contract/read-number.ts'
import { type ApiError, callApi } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { restoreFocus } from '#ui/layout/restore-focus.ts'
import text from '#ui/theme/text.module.css'
import { describeUnknown, makeAreaContract } from '../make-contract.ts'
import type { DrawingStep } from './drawing.ts'
import type { DrawingMap } from './drawn-map.ts'
import classes from './MakeArea.module.css'

export const emptyMaking = { zip_codes: '', place: '', radius: '', listing: false }

type MakeAreaProps = {
  campaignId: number
  /** Kept by the editor, which asks before it is lost. */
  form: typeof emptyMaking
  setForm: Dispatch<SetStateAction<typeof emptyMaking>>
  step: (step: DrawingStep) => void
  view: RefObject<DrawingMap | null>
}

/** Makes the area from ZIP codes, a place and a radius, and what the listing serves: ordinary points, to be drawn on. */
export function MakeArea({ campaignId, form, setForm, step, view }: MakeAreaProps) {
  const [problem, setProblem] = useState<ApiError>()
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const [isMaking, setMaking] = useState(false)
  const id = useId()
  const [settledPlace] = useDebouncedValue(form.place, 250)
  const places = useApi(
    makeAreaContract.places,
    { query: { q: settledPlace } },
    { enabled: settledPlace.trim().length >= 2, quiet: true, keepPrevious: true },
  ).data
  const write = (fields: Partial<typeof form>) => setForm((before) => ({ ...before, ...fields }))

  function find(place: string) {
    write({ place })
    const found = places?.find(({ name }) => name === place)
    if (found) view.current?.fit([found])
  }
  async function make(event: FormEvent) {
    event.preventDefault()
    const before = document.activeElement
    setMaking(true)
    setProblem(undefined)
    try {
      const { points, unknown: missing } = await callApi(makeAreaContract.make, {
        params: { id: campaignId },
        body: {
          zip_codes: form.zip_codes,
          place: form.place,
          radius: readSureNumber(form.radius),
          listing: form.listing ? 1 : 0,
        },
      })
      setUnknown(missing)
      step({ do: 'place', points })
      view.current?.fit(points)
    } catch (error) {
      setUnknown([])
      setProblem(error as ApiError) // what callApi throws
    }
    flushSync(() => setMaking(false))
    restoreFocus(before) // the button was disabled
  }
  const errors = problem?.errors ?? {}
  const isElsewhere = problem && !['zip_codes', 'place', 'radius', 'listing'].some((name) => errors[name])

  return (
    <form className={classes.form} aria-label="Make the area" onSubmit={(event) => void make(event)} noValidate>
      <label className={text.medium} htmlFor={`${id}-zip`}>
        ZIP codes
      </label>
      <textarea
        id={`${id}-zip`}
        rows={3}
        placeholder="78701, 78702 …"
        value={form.zip_codes}
        aria-invalid={errors.zip_codes !== undefined || undefined}
        aria-describedby={`${id}-zip-error`}
        onChange={(event) => write({ zip_codes: event.currentTarget.value })}
      />
      <div id={`${id}-zip-error`} role="alert">
        {errors.zip_codes && <p className={classes.problem}>{errors.zip_codes[0]}</p>}
        {unknown.length > 0 && <p className={classes.problem}>{describeUnknown(unknown)}</p>}
      </div>
      <div className={classes.place}>
        <TextInput
          label="Place"
          placeholder="Austin, TX"
          list={`${id}-places`}
          value={form.place}
          error={errors.place?.[0]}
          autoComplete="off"
          onChange={(event) => find(event.currentTarget.value)}
        />
        <datalist id={`${id}-places`}>
          {places?.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextInput
          label="Radius in miles"
          inputMode="decimal"
          value={form.radius}
          error={errors.radius?.[0]}
          onChange={(event) => write({ radius: event.currentTarget.value })}
        />
      </div>
      <label className={classes.listing}>
        <input
          type="checkbox"
          checked={form.listing}
          onChange={(event) => write({ listing: event.currentTarget.checked })}
        />
        From the listing
      </label>
      {errors.listing && (
        <p className={classes.problem} role="alert">
          {errors.listing[0]}
        </p>
      )}
      {isElsewhere && (
        <p className={classes.problem} role="alert">
          {problem.message}
        </p>
      )}
      <Button type="submit" variant="default" loading={isMaking}>
        Make area
      </Button>
      <p className={text.caption}>
        A polygon around the centers of the ZIP codes, not along their borders. Change it on the map, then save it.
      </p>
    </form>
  )
}
