import { Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { EmailText } from '#ui/cells/EmailCell.tsx'
import { ApiError, getFieldErrors } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import arrange from '#ui/layout/arrange.module.css'
import type { ProfilePartProps } from '../../profile/ui/part-props.ts'
import classes from '../../profile/ui/screen.module.css'
import { emailChangeContract } from '../contract.ts'

/** Changes the user's own email, once the new address has confirmed it. */
export default function EmailPart({ me }: ProfilePartProps) {
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <div className={arrange.stack}>
      <p>
        <EmailText>{me.email}</EmailText>
        {me.pending_email && <EmailText>{` until the link that we sent to ${me.pending_email} is opened`}</EmailText>}
      </p>
      {isOpen ? (
        <EmailForm onClose={() => setOpen(false)} />
      ) : (
        <Button autoFocus={isOpen === false} variant="default" className={classes.opener} onClick={() => setOpen(true)}>
          Change email
        </Button>
      )}
    </div>
  )
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initialValues: { email: '' },
    validate: schemaResolver(emailChangeContract.change.body, { sync: true }),
  })
  const { run, running } = useAction(emailChangeContract.change, {
    success: ({ message }) => message,
    onFailure: (problem) => {
      const errors = problem instanceof ApiError ? getFieldErrors(problem) : {}
      form.setErrors(errors)
      if (Object.keys(errors).length === 0) toastError(problem)
    },
  })
  async function save(body: typeof form.values) {
    const outcome = await run({ body })
    if (outcome.done) onClose()
  }
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit((values) => void save(values))}>
      <TextInput
        label="New email"
        name="email"
        type="email"
        autoComplete="email"
        ref={focusInput}
        {...form.getInputProps('email')}
      />
      <div className={arrange.buttons}>
        <Button type="submit" loading={running}>
          Change email
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

const focusInput = (input: HTMLInputElement | null) => input?.focus()
