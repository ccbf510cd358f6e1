import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { useBusyFocus } from '#ui/layout/restore-focus.ts'
import text from '#ui/theme/text.module.css'
import { secondFactorContract } from '../contract.ts'
import { createPasskey, whyNoPasskeys } from './authenticator.ts'
import classes from './second-factor.module.css'

/** The user's own passkeys. */
export default function PasskeysPart() {
  const { data, error } = useApi(secondFactorContract.read, undefined, { quiet: true })
  if (!data) return <p className={text.quiet}>{error?.message ?? <span data-waiting>Loading…</span>}</p>
  const obstacle = whyNoPasskeys()
  return (
    <div className={classes.part}>
      <p className={text.quiet}>Sign in with your fingerprint, face or security key.</p>
      {data.passkeys.length > 0 && (
        <ul className={classes.passkeys}>
          {data.passkeys.map(({ id, name, created_at, last_used_at }) => (
            <li key={id}>
              <div>
                {name}
                <p className={text.quiet}>
                  Added <ShortTime at={created_at} />,{' '}
                  {last_used_at ? (
                    <>
                      last used <ShortTime at={last_used_at} />
                    </>
                  ) : (
                    'not used yet'
                  )}
                </p>
              </div>
              <ActionButton
                call={secondFactorContract.removePasskey}
                input={{ params: { id } }}
                label="Remove"
                details={[name]}
              />
            </li>
          ))}
        </ul>
      )}
      {obstacle === null ? <NewPasskeyForm /> : <p className={text.quiet}>{obstacle}</p>}
    </div>
  )
}

function NewPasskeyForm() {
  const add = useAction(secondFactorContract.addPasskey)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const noteFocus = useBusyFocus(busy)
  async function submit(event: FormEvent) {
    event.preventDefault()
    noteFocus()
    setBusy(true)
    try {
      const credential = await createPasskey()
      const outcome = await add.run({ body: { name, credential } })
      if (!outcome.done) return
      setName('')
      field.current?.focus() // the button is disabled without a name
    } catch (problem) {
      toastError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className={classes.row}>
      <TextInput
        ref={field}
        label="Name of the passkey"
        placeholder="Office laptop"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy} disabled={name.trim() === ''}>
        Add a passkey
      </Button>
    </form>
  )
}
