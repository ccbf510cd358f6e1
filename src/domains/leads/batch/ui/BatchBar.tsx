import { Button, Menu, Select } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { AccessSubject } from '#contract/allow.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { leadTags } from '#domains/leads/labels.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { batchActionRules, type FormAct, type PlainAction } from '../contract.ts'
import type { BatchAction } from '../labels.ts'
import classes from './Batch.module.css'
import { batchLabels, formatLeadCount } from './batch-words.ts'
import { countSelected, isPageSelected, type RowSelection } from './selection.ts'

type BatchBarProps = {
  me: AccessSubject
  selection: RowSelection
  /** How many leads the filters match. */
  total: number
  isArchive: boolean
  busy: boolean
  run: (act: FormAct) => void
  clear: () => void
}

/** Shows how many leads are selected, and the actions on them. */
export default function BatchBar({ me, selection, total, isArchive, busy, run, clear }: BatchBarProps) {
  const state = useStore(selection.store)
  const [isMoving, setMoving] = useState(false)
  const may = (action: BatchAction) => batchActionRules[action](me)
  const plain = (action: PlainAction) =>
    may(action) && (
      <Button key={action} size="compact-sm" variant="default" disabled={busy} onClick={() => run({ action })}>
        {batchLabels[action]}
      </Button>
    )
  const item = (action: PlainAction) =>
    may(action) && (
      <Menu.Item key={action} onClick={() => run({ action })}>
        {batchLabels[action]}
      </Menu.Item>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are not fields.
    <div className={classes.bar} data-unprinted data-batch-bar role="group" aria-label="Selected leads">
      <span role="status" className={classes.count}>
        {formatLeadCount(countSelected(state))} selected
      </span>
      {state.all === null && isPageSelected(state) && total > state.ids.size && (
        <button type="button" className={classes.link} data-link onClick={() => selection.selectAll(total)}>
          Select all {total.toLocaleString('en-US')}
        </button>
      )}
      {plain('verify')}
      {may('spam') && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          onClick={() => run({ action: 'spam', value: { spammer: false } })}
        >
          {batchLabels.spam}
        </Button>
      )}
      {may('tag') && (
        <BatchMenu label={batchLabels.tag} busy={busy}>
          {leadTags.map((tag) => (
            <Menu.Item key={tag} onClick={() => run({ action: 'tag', value: tag })}>
              {tag}
            </Menu.Item>
          ))}
        </BatchMenu>
      )}
      {may('untag') && (
        <BatchMenu label={batchLabels.untag} busy={busy}>
          {leadTags.map((tag) => (
            <Menu.Item key={tag} onClick={() => run({ action: 'untag', value: tag })}>
              {tag}
            </Menu.Item>
          ))}
        </BatchMenu>
      )}
      {plain(isArchive ? 'unarchive' : 'archive')}
      <BatchMenu label="More" busy={busy}>
        {item('unverify')}
        {item('hide')}
        {item('unhide')}
        {may('move') && <Menu.Item onClick={() => setMoving(true)}>Move to a campaign…</Menu.Item>}
      </BatchMenu>
      <IconButton label="Select none" icon={IconX} onClick={clear} />
      {isMoving && <MoveLeadsDialog run={run} onClose={() => setMoving(false)} />}
    </div>
  )
}

function BatchMenu({ label, busy, children }: { label: string; busy: boolean; children: ReactNode }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** A dialog to choose the campaign, and optionally one of its sites. */
function MoveLeadsDialog({ run, onClose }: { run: (act: FormAct) => void; onClose: () => void }) {
  const [campaign, setCampaign] = useState<number | null>(null)
  const [site, setSite] = useState<number | null>(null)
  const campaigns = useCampaignChoices()
  const sites = useApi(clientSitesContract.all).data?.filter(({ campaign_id }) => campaign_id === campaign) ?? []
  return (
    <ModalDialog opened onClose={onClose} title="Move to a campaign">
      <div className={arrange.stack}>
        <Select
          label="Campaign"
          searchable
          data-autofocus
          data={campaigns.map(({ value, label }) => ({ value: String(value), label }))}
          value={campaign === null ? null : String(campaign)}
          onChange={(picked) => {
            setCampaign(picked === null ? null : Number(picked))
            setSite(null)
          }}
        />
        <Select
          label="Client Site"
          clearable
          placeholder="None"
          data={sites.map(({ id, url }) => ({ value: String(id), label: url }))}
          value={site === null ? null : String(site)}
          onChange={(picked) => setSite(picked === null ? null : Number(picked))}
        />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={campaign === null}
          onClick={() => {
            if (campaign === null) return
            onClose()
            run({ action: 'move', value: { campaign_id: campaign, clientsite_id: site } })
          }}
        >
          Move
        </Button>
      </div>
    </ModalDialog>
  )
}
