import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#domains/access/ui/current-user.ts'
import { campaigns } from '#domains/campaigns/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { newerLead, type Patch } from '#domains/leads/list/ui/lead-mutations.ts'
import { clientSites } from '#domains/sites/client/contract.ts'
import { text } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { useAction } from '#ui/data/useAction.ts'
import { readAgain, useApi } from '#ui/data/useApi.ts'
import { sayFailure } from '#ui/feedback/toast.tsx'
import { history, type LeadHistory } from '../contract.ts'
import { type Names, shownValue, titleOf } from '../field-labels.ts'
import classes from './HistoryDrawer.module.css'

type Change = LeadHistory['changes'][number]
type Field = Change['fields'][number]

/** Where putting back was refused because somebody was quicker: what stands there now. */
type Outrun = { place: string; now: unknown }

export function Changes({ changes, lead, patch }: { changes: Change[]; lead: Lead; patch: Patch }) {
  const names = useNames()
  const [version, setVersion] = useState(lead.version)
  const [outrun, setOutrun] = useState<Outrun | null>(null)
  const { run, running } = useAction(history.restore, {
    onFailure: (problem, { body }) => {
      const newer = newerLead(problem)
      if (!newer) return sayFailure(problem)
      show(newer)
      const now: Partial<Record<string, unknown>> = newer
      setOutrun({ place: placeOf(body.audit_id, body.field), now: now[body.field] })
      void readAgain([history.restore])
    },
  })

  function show(newer: Lead) {
    patch(newer.id, newer)
    setVersion(newer.version)
  }
  async function putBack(audit_id: number, field: string) {
    setOutrun(null)
    const outcome = await run({ params: { id: lead.id }, body: { audit_id, field, version } })
    if (outcome.done) show(outcome.answer)
  }

  return (
    <ul className={classes.lines}>
      {changes.map((change) => (
        <li key={change.audit_id}>
          <p className={classes.what}>
            <span>{whoOf(change)}</span>
            <time dateTime={change.at}>{shownMoment(change.at)}</time>
          </p>
          {change.fields.map((field) => {
            const place = placeOf(change.audit_id, field.field)
            return (
              <div key={place} className={classes.field}>
                <span className={classes.name}>{titleOf(field.field)}</span>
                <Values field={field} isNew={change.action === 'created'} names={names} />
                {field.can_restore && (
                  <button
                    type="button"
                    aria-label={`Put back ${titleOf(field.field)}`}
                    disabled={running}
                    onClick={() => void putBack(change.audit_id, field.field)}
                  >
                    Put back
                  </button>
                )}
                {outrun?.place === place && (
                  <p role="alert" className={classes.outrun}>
                    Somebody else has changed this meanwhile. It is now{' '}
                    {quoted(shownValue(field.field, outrun.now, names))}.
                  </p>
                )}
              </div>
            )
          })}
        </li>
      ))}
    </ul>
  )
}

const quoted = (value: string | null) => (value === null ? 'empty' : `“${value}”`)
const placeOf = (auditId: number, field: string) => `${auditId} ${field}`

function Values({ field: { field, from, to }, isNew, names }: { field: Field; isNew: boolean; names: Names }) {
  return (
    <span className={classes.values}>
      {!isNew && (
        <>
          <span className={classes.unseen}>from </span>
          <del>
            <Value value={shownValue(field, from, names)} />
          </del>
          <IconArrowRight size={14} aria-hidden="true" />
          <span className={classes.unseen}> to </span>
        </>
      )}
      <ins>
        <Value value={shownValue(field, to, names)} />
      </ins>
    </span>
  )
}

const most = 240

/** A long one is cropped until it is asked for. */
function Value({ value }: { value: string | null }) {
  const [isOpen, setOpen] = useState(false)
  if (value === null || value.length <= most) return text(value)
  return (
    <>
      {isOpen ? value : `${value.slice(0, most).trimEnd()}…`}{' '}
      <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Read Less' : 'Read More'}
      </button>
    </>
  )
}

const withoutPerson: Partial<Record<string, string>> = {
  link: 'The client, by a star in a mail',
  page: 'The client, on the rating page',
  'scanner, undone': 'Leadline took back what a mail scanner had saved',
}

function whoOf({ by, via, action }: Change): string {
  const who = by ?? withoutPerson[via ?? ''] ?? 'Leadline, from the provider’s news'
  return action === 'created' ? `${who} added the lead` : who
}

/** Whoever may not read the lists of campaigns or sites sees their numbers. */
function useNames(): Names {
  const me = useMe()
  const all = useApi(campaigns.all, undefined, { enabled: campaigns.all.allow(me), quiet: true }).data ?? []
  const sites = useApi(clientSites.all, undefined, { enabled: clientSites.all.allow(me), quiet: true }).data ?? []
  return {
    campaigns: new Map(all.map(({ id, name }) => [id, name])),
    sites: new Map(sites.map(({ id, url }) => [id, url])),
  }
}
