import { appConfig } from '#ui/data/environment.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { emailChangeContract } from '../contract.ts'

/** Asks the first administrator for their email. */
export default function FirstEmailDialog({ onClose }: { onClose(): void }) {
  return (
    <FormDialog
      title="Your email"
      call={emailChangeContract.change}
      start={{ email: '' }}
      fields={({ textControl }) => ({ email: textControl('Email') })}
      layout={(field) => (
        <>
          <p>{appConfig.agencyName} sends you alerts, your daily summary and links to a new password here.</p>
          {field.email}
        </>
      )}
      success={({ message }) => message}
      opened
      onClose={onClose}
    />
  )
}
