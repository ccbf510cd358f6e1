import { useState } from 'react'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { emailChangeContract } from '../contract.ts'

/** Asks the first administrator for their email; put off by closing it, it comes back at the next visit. */
export default function FirstEmailDialog() {
  const [opened, setOpened] = useState(true)
  return (
    <FormDialog
      title="Your email"
      call={emailChangeContract.change}
      start={{ email: '' }}
      fields={({ textControl }) => ({ email: textControl('Email') })}
      layout={(field) => (
        <>
          <p>Leadline sends you alerts, your daily summary and links to a new password here.</p>
          {field.email}
        </>
      )}
      success={({ message }) => message}
      opened={opened}
      onClose={() => setOpened(false)}
    />
  )
}
