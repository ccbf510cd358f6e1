import { Button, TextInput } from '@mantine/core'
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react'
import { copyText } from '#ui/cells/clipboard.ts'
import { ApiError } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { focusFirstControl } from '#ui/layout/restore-focus.ts'
import text from '#ui/theme/text.module.css'
import { secondFactorContract } from '../contract.ts'
import classes from './second-factor.module.css'

const SetupQrCode = lazyComponent(() => import('./SetupQrCode.tsx'))

/** The user's own authenticator app and recovery codes. */
export default function SecondFactorPart() {
  const { data, error } = useApi(secondFactorContract.read, undefined, { quiet: true })
  const [codes, setCodes] = useState<string[] | null>(null)
  const [turningOff, setTurningOff] = useState(false)
  const begin = useAction(secondFactorContract.beginTotp)
  const renew = useAction(secondFactorContract.newRecoveryCodes)
  const [fresh, setFresh] = useState<{ secret: string; uri: string } | null>(null)

  const [closed, setClosed] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  // What was closed is gone, and the focus with it; the first button may change once the answer is read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (closed > 0 && document.activeElement === document.body) focusFirstControl(place.current)
  }, [closed, data?.totp])

  function close() {
    setFresh(null)
    setCodes(null)
    setTurningOff(false)
    setClosed((count) => count + 1)
  }
  async function beginSetup() {
    const outcome = await begin.run()
    if (outcome.done) setFresh(outcome.answer)
  }
  async function renewCodes() {
    const outcome = await renew.run()
    if (outcome.done) setCodes(outcome.answer.recovery_codes)
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={close} />
  if (!data) return <p className={text.quiet}>{error?.message ?? <span data-waiting>Loading…</span>}</p>
  const hasFactor = data.totp || data.passkeys.length > 0
  return (
    <div className={classes.part} ref={place}>
      <p className={text.quiet}>
        {data.totp ? 'An authenticator app is set up.' : 'No authenticator app is set up.'}
        {hasFactor && ` ${describeCodesLeft(data.recovery_codes_left)}`}
        {data.required && !hasFactor && ' Your role must have a second factor: an app or a passkey.'}
      </p>
      {!data.totp && !fresh && (
        <Button onClick={() => void beginSetup()} loading={begin.running}>
          Set up an authenticator app
        </Button>
      )}
      {!data.totp && fresh && (
        <SetupForm
          {...fresh}
          onDone={(made) => {
            setFresh(null)
            setCodes(made)
          }}
          onCancel={close}
        />
      )}
      {turningOff && data.totp && <TurnOffForm onDone={close} />}
      <div className={`${classes.row} ${arrange.skippedEmpty}`}>
        {hasFactor && (
          <Button variant="default" onClick={() => void renewCodes()} loading={renew.running}>
            New recovery codes
          </Button>
        )}
        {data.totp && !turningOff && (
          <Button variant="default" color="red" onClick={() => setTurningOff(true)}>
            Turn off the app
          </Button>
        )}
      </div>
    </div>
  )
}

/** Passkeys alone come without any. */
function describeCodesLeft(left: number) {
  if (left === 0) return 'There are no recovery codes.'
  return left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`
}

type SetupFormProps = { secret: string; uri: string; onDone: (codes: string[]) => void; onCancel: () => void }

function SetupForm({ secret, uri, onDone, onCancel }: SetupFormProps) {
  const enable = useAction(secondFactorContract.enableTotp, { onFailure: () => undefined })
  return (
    <>
      <p className={text.prose}>
        Scan this code with your authenticator app, or enter the key below. If the app is on this device,{' '}
        <a href={uri}>open it there</a>. Code and key are shown this once.
      </p>
      <div className={classes.qrCode}>
        <Suspense>
          <SetupQrCode uri={uri} />
        </Suspense>
      </div>
      <div className={classes.row}>
        <code className={classes.secret}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <Button variant="default" size="compact-sm" onClick={() => void copyText(secret)}>
          Copy key
        </Button>
      </div>
      <CodeForm
        label="Code from the app"
        inputMode="numeric"
        action="Turn on"
        busy={enable.running}
        onCancel={onCancel}
        send={async (code) => {
          const outcome = await enable.run({ body: { code } })
          if (outcome.done) onDone(outcome.answer.recovery_codes)
          return outcome
        }}
      />
    </>
  )
}

function TurnOffForm({ onDone }: { onDone: () => void }) {
  const disable = useAction(secondFactorContract.disableTotp, { onFailure: () => undefined })
  return (
    <CodeForm
      label="Code from the app, or a recovery code"
      inputMode="text"
      action="Turn off"
      busy={disable.running}
      onCancel={onDone}
      send={async (code) => {
        const outcome = await disable.run({ body: { code } })
        if (outcome.done) onDone()
        return outcome
      }}
    />
  )
}

type CodeFormProps = {
  label: string
  inputMode: 'numeric' | 'text'
  action: string
  busy: boolean
  send: (code: string) => Promise<{ done: boolean; problem?: unknown }>
  onCancel: () => void
}

function CodeForm({ label, inputMode, action, busy, send, onCancel }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setRefusal(null)
    const { problem } = await send(code)
    const said = problem instanceof ApiError ? problem.errors.code?.join(' ') : undefined
    if (said) setRefusal(said)
    else if (problem) toastError(problem)
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className={classes.row}>
      <TextInput
        label={label}
        autoComplete="one-time-code"
        inputMode={inputMode}
        autoFocus
        error={refusal}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy} disabled={code.trim() === ''}>
        {action}
      </Button>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className={classes.part}>
      <p className={text.quiet}>
        Keep these recovery codes in a safe place: each signs you in once without your app or passkey. They are shown
        this once, and older ones have ended.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.row} ref={focusFirstControl}>
        <Button variant="default" onClick={() => void copyText(codes.join('\n'))}>
          Copy
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
    </div>
  )
}
