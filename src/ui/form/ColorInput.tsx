import { TextInput } from '@mantine/core'
import classes from './ColorInput.module.css'

type ColorInputProps = {
  label: string
  name: string
  error: string | undefined
  labelProps: { 'data-required': true | undefined }
  value: string
  set: (value: string) => void
}

/** An input for a color as #rrggbb, typed or picked with the browser's own picker. */
export function ColorInput({ value, set, ...field }: ColorInputProps) {
  const picked = /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#ffffff'
  return (
    <TextInput
      {...field}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
      leftSection={
        <input
          type="color"
          className={classes.picker}
          aria-label={`Pick ${field.label.toLowerCase()}`}
          value={picked}
          onChange={(event) => set(event.currentTarget.value)}
        />
      }
    />
  )
}
