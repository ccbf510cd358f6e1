import { Button, TextInput } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import type { ResponseOf } from '#contract/endpoint.ts'
import { CopyButton } from '#ui/cells/cells.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { toastError, toastSuccess } from '#ui/feedback/toast.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { clientSitesContract } from '../contract.ts'

type SiteHooksProps = {
  site: { id: number; url: string }
  /** On a page of its own, where there is room for words instead of an icon. */
  isLabeled?: boolean
}

/** Opens the URLs that CallRail and Formidable send a site's leads to, and the key of its forms. */
export function SiteHooks({ site, isLabeled }: SiteHooksProps) {
  const [opened, setOpened] = useState(false)
  const open = () => setOpened(true)
  return (
    <>
      {isLabeled ? (
        <Button variant="default" onClick={open}>
          Hooks
        </Button>
      ) : (
        <IconButton label="Hooks" icon={IconWebhook} onClick={open} />
      )}
      <ModalDialog opened={opened} onClose={() => setOpened(false)} title={`Hooks of ${site.url}`} size="lg">
        <HookAddresses id={site.id} />
      </ModalDialog>
    </>
  )
}

function HookAddresses({ id }: { id: number }) {
  const read = useApi(clientSitesContract.hook, { params: { id } }, { quiet: true })
  const make = useAction(clientSitesContract.newHookKey)
  const test = useHookTest()
  const hook = read.data
  if (read.error) return <QueryError what="The addresses" error={read.error} retry={read.refetch} />
  return (
    <div className={arrange.stackWide} aria-busy={read.isPending}>
      <CopyableField
        label="CallRail"
        about="In CallRail, Settings, Integrations, Webhooks: for calls, their changes, form submissions and texts. CallRail shows a signing key there: enter it in the site’s dialog, or every webhook is refused."
        value={hook?.callrail_url}
      />
      <CopyableField
        label="Formidable"
        about="In the form’s actions, Send API Data: POST, format JSON, with the key below for Basic Auth."
        value={hook?.formidable_url}
      />
      <CopyableField
        label="Key"
        about="The user name of Basic Auth. Anyone who has it can send leads."
        value={hook?.key}
      />
      <div className={arrange.buttons}>
        <Button variant="default" loading={make.running} onClick={() => void make.run({ params: { id } })}>
          {hook?.key ? 'Create a new key' : 'Create a key'}
        </Button>
        <Button
          variant="default"
          loading={test.running}
          disabled={!hook?.key}
          title={hook?.key ? 'Sends a test like the site’s forms, without creating a lead' : 'Create a key first'}
          onClick={() => hook && void test.send(hook)}
        >
          Send a test
        </Button>
      </div>
    </div>
  )
}

type SiteHook = ResponseOf<typeof clientSitesContract.hook>

/** Sends the form plugin's own test, with the key and without the user's session. */
function useHookTest() {
  const [running, setRunning] = useState(false)
  async function send({ formidable_url, key }: SiteHook) {
    setRunning(true)
    try {
      const answer = await fetch(new URL(formidable_url).pathname, {
        method: 'POST',
        credentials: 'omit',
        headers: { Authorization: `Basic ${btoa(`${key}:`)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ test: true }),
      })
      if (answer.ok) toastSuccess('The test arrived: forms with this key reach Leadline')
      else toastError(new Error(`The test was refused: ${(await readProblem(answer)) ?? answer.status}`))
    } catch {
      toastError(new Error('The test did not arrive: no network'))
    } finally {
      setRunning(false)
    }
  }
  return { running, send }
}

const refusalSchema = z.object({ message: z.string() })
const readProblem = async (answer: Response) =>
  refusalSchema.safeParse(await answer.json().catch(() => undefined)).data?.message

function CopyableField({ label, about, value }: { label: string; about: string; value: string | null | undefined }) {
  return (
    <TextInput
      label={label}
      description={about}
      value={value ?? ''}
      placeholder={value === undefined ? 'Loading…' : 'None yet'}
      readOnly
      variant="filled"
      rightSection={value ? <CopyButton value={value} what={label} /> : undefined}
    />
  )
}
