import { renderBadge } from '#ui/cells/cells.tsx'
import { formatDay, getToday } from '#ui/cells/days.ts'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { appConfig } from '#ui/data/environment.ts'
import { type CampaignRecord, recordDays } from '../contract.ts'
import classes from './RecordPage.module.css'
import { EmptySection, RecordList, RecordSection } from './RecordPage.tsx'

/** The parts of a campaign's page that come with the campaign. Parts that the reader may not read elsewhere are missing. */

export function CampaignSources({ sources }: Pick<CampaignRecord, 'sources'>) {
  if (!sources) return null
  return (
    <RecordSection title="Sources" count={sources.length}>
      {sources.length === 0 && <EmptySection>No lead came in the last {recordDays} days.</EmptySection>}
      <RecordList
        label="Sources"
        rows={sources.map((source) => ({ ...source, key: `${source.source} ${source.type}` }))}
      >
        {({ source, type, leads, verified, last_at }) => (
          <>
            <span className={classes.grow}>
              {source} <span className={classes.quiet}>{type}</span>
            </span>
            <span>
              {verified} verified of {leads} in {recordDays} days
            </span>
            <span className={classes.quiet}>
              Last <ShortTime at={last_at} />
            </span>
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}

export function CampaignTasks({ tasks }: Pick<CampaignRecord, 'tasks'>) {
  if (!tasks) return null
  const today = getToday(appConfig.timezone)
  return (
    <RecordSection title="Open tasks" count={tasks.total}>
      {tasks.total === 0 && <EmptySection>No task is open.</EmptySection>}
      <RecordList label="Open tasks" rows={tasks.data}>
        {({ date, note, assignee }) => (
          <>
            <span>{formatDay(date)}</span>
            {date < today && renderBadge('bad', 'Overdue')}
            <span className={classes.grow}>{note}</span>
            <span className={classes.quiet}>{assignee}</span>
          </>
        )}
      </RecordList>
      {tasks.total > tasks.data.length && (
        <EmptySection>The first {tasks.data.length} are shown; the Activity Log has all of them.</EmptySection>
      )}
    </RecordSection>
  )
}

export function CampaignPeople({ campaign: { people, contract } }: { campaign: CampaignRecord }) {
  if (!people) return null
  return (
    <RecordSection title="People" count={people.length}>
      {contract && (
        <p>
          Manager: <b>{contract.manager}</b>
        </p>
      )}
      {people.length === 0 && <EmptySection>No admin has this campaign yet.</EmptySection>}
      <RecordList label="People" rows={people}>
        {({ username, role }) => (
          <>
            <span className={classes.grow}>{username}</span>
            <span className={classes.quiet}>{role.replaceAll('_', ' ')}</span>
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}
