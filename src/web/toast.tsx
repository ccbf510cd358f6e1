import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from './api.ts'
import classes from './toast.module.css'

/** Says what succeeded. With `undo` it offers the inverse call. */
export function say(message: string, undo?: () => void) {
  const id = notifications.show({
    color: 'green',
    autoClose: undo ? 8000 : 4000,
    withBorder: true,
    role: 'status',
    message: undo ? (
      <span className={classes.withUndo}>
        {message}
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </span>
    ) : (
      message
    ),
  })
}

/** Says what failed: the server's message and one line for each entry of its `errors`. */
export function sayFailure(problem: unknown) {
  const message = problem instanceof Error ? problem.message : 'Something went wrong'
  const details = problem instanceof ApiError ? Object.values(problem.errors).flat() : []
  // The same failure of three parallel calls is one toast, not three.
  const id = `failure ${message}`
  notifications.hide(id)
  notifications.show({
    id,
    color: 'red',
    autoClose: 10_000,
    withBorder: true,
    role: 'alert',
    title: message,
    message: details.length > 0 ? <Lines lines={details} /> : null,
  })
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul className={classes.lines}>
      {[...new Set(lines)].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
