import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { type ToolLink, toolLinksContract } from '#domains/access/tool-links/contract.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { MyTasks } from '#domains/activity/ui/public.ts'
import { AgencyButton } from '#domains/agency/ui/public.ts'
import { WaitingLeads } from '#domains/leads/ui/public.ts'
import { ClientStart } from '#domains/reports/client-reports/ui/public.ts'
import { signalsContract } from '#domains/signals/contract.ts'
import { HomeSignals } from '#domains/signals/ui/public.ts'
import { renderExternalLink } from '#ui/cells/cells.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ShownTogether } from '#ui/feedback/ShownTogether.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { Panel, PanelNote } from '#ui/layout/Panel.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { HomeFigures } from './HomeFigures.tsx'
import classes from './screen.module.css'
import { useLastVisit } from './useLastVisit.ts'
import { useSetupSteps } from './useSetupSteps.ts'

const SetupSteps = lazyComponent(() => import('./SetupSteps.tsx'))

const toolLinkFields = ({ textControl }: ControlSet) => ({
  label: textControl('Label'),
  url: textControl('URL', { placeholder: 'https://' }),
})
/** Home: open signals, the user's tasks, a handler's new leads, and the tools for super admins; for a client, its numbers. */
export default function DashboardScreen() {
  const me = useCurrentUser()
  const steps = useSetupSteps()
  if (!me) return null
  if (me.isCustomer)
    return (
      <Suspense>
        <ClientStart username={me.username} />
      </Suspense>
    )
  const own = (
    <ShownTogether id="my-tasks" className={classes.aside} data-printed-block>
      {isHandler(me) && <WaitingLeads />}
      <MyTasks />
      {me.isSuperAdmin && <ToolLinksSection links={me.tools_links} />}
    </ShownTogether>
  )
  return (
    <ScreenFrame title={`Hello, ${me.username}!`} actions={me.isSuperAdmin && <AgencyButton />}>
      {steps && steps.length > 0 && (
        <Suspense>
          <SetupSteps steps={steps} />
        </Suspense>
      )}
      <HomeFigures />
      {signalsContract.list.allow(me) ? (
        <Suspense>
          <SignalsSinceVisit beside={own} isSetUp={steps?.length === 0} />
        </Suspense>
      ) : (
        own
      )}
    </ScreenFrame>
  )
}

function SignalsSinceVisit(props: { beside: ReactNode; isSetUp: boolean }) {
  const lastVisit = useLastVisit()
  return <HomeSignals {...props} lastVisit={lastVisit} />
}

const isHandler = (me: CurrentUserDto) => !me.isAdmin && !me.isSuperAdmin

const toToolLinkForm = ({ label, url, version }: ToolLink) => ({ label, url, version })

function ToolLinksSection({ links }: { links: readonly ToolLink[] }) {
  const creating = useDialog()
  const editing = useDialog<ToolLink>()
  return (
    <Panel
      title="Tools"
      action={
        <Button variant="default" onClick={() => creating.open(undefined)}>
          Add link
        </Button>
      }
    >
      {links.length === 0 && <PanelNote>List is empty</PanelNote>}
      <ul className={classes.links}>
        {links.map((link) => (
          <li key={link.id}>
            <span className={arrange.half}>{renderExternalLink(link.url, link.label)}</span>
            <span className={classes.url}>{link.url}</span>
            <IconButton label={`Edit ${link.label}`} icon={IconPencil} onClick={() => editing.open(link)} />
            <ActionButton
              call={toolLinksContract.remove}
              input={{ params: { id: link.id } }}
              label={`Remove ${link.label}`}
              icon={IconTrash}
              details={[`${link.label} (${link.url})`]}
            />
          </li>
        ))}
      </ul>
      <FormDialog
        title="Add link"
        call={toolLinksContract.create}
        start={{ label: '', url: '' }}
        fields={toolLinkFields}
        opened={creating.opened}
        onClose={creating.close}
      />
      {editing.subject && (
        <FormDialog
          title="Edit link"
          call={toolLinksContract.update}
          params={{ id: editing.subject.id }}
          start={toToolLinkForm(editing.subject)}
          fields={toolLinkFields}
          conflict={{ read: toToolLinkForm, shown: (_, value) => String(value) }}
          opened={editing.opened}
          onClose={editing.close}
        />
      )}
    </Panel>
  )
}
