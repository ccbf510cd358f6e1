import { Button, PasswordInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { profileFormSchema, sessionContract } from '#domains/access/sign-in/contract.ts'
import { ApiError, getFieldErrors } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import classes from './screen.module.css'

const emptyForm = { old_password: '', new_password: '', new_password_confirmation: '' }

/** Changes the user's own password. */
export default function PasswordPart() {
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    <PasswordForm onSaved={() => setOpen(false)} />
  ) : (
    <Button variant="default" className={classes.opener} onClick={() => setOpen(true)}>
      Change password
    </Button>
  )
}

function PasswordForm({ onSaved }: { onSaved: () => void }) {
  const form = useForm({ initialValues: emptyForm, validate: schemaResolver(profileFormSchema, { sync: true }) })
  const { run, running } = useAction(sessionContract.updateProfile, {
    onFailure: (problem) => {
      toastError(problem)
      if (problem instanceof ApiError) refuse(getFieldErrors(problem))
    },
  })
  function refuse(errors: Record<string, ReactNode>) {
    form.setErrors(errors)
    const first = Object.keys(emptyForm).find((name) => name in errors)
    if (first) form.getInputNode(first)?.focus()
  }
  async function save(body: typeof emptyForm) {
    const outcome = await run({ body })
    if (outcome.done) onSaved()
  }
  const field = (name: keyof typeof emptyForm, label: string, autoComplete = 'new-password') => (
    <PasswordInput
      label={label}
      name={name}
      ref={name === 'old_password' ? focusInput : undefined}
      autoComplete={autoComplete}
      // The library does not set it on this input.
      aria-invalid={form.errors[name] !== undefined || undefined}
      {...form.getInputProps(name)}
    />
  )
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit((values) => void save(values), refuse)}>
      {field('old_password', 'Old Password', 'current-password')}
      {field('new_password', 'New Password')}
      {field('new_password_confirmation', 'New Password Confirmation')}
      <Button type="submit" loading={running}>
        Change password
      </Button>
    </form>
  )
}

const focusInput = (input: HTMLInputElement | null) => input?.focus()
