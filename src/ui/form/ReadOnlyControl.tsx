import { TextInput } from '@mantine/core'

/** A value that is shown but not sent, such as an email that cannot be changed here. */
export function ReadOnlyControl({ label, value }: { label: string; value: string }) {
  return <TextInput label={label} value={value} readOnly variant="filled" />
}
