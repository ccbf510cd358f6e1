import { Screen } from '#ui/layout/Screen.tsx'

/** A placeholder: its address is known, its content is not. */
export default function CPanel() {
  return (
    <Screen title="cPanel">
      <p>This page is a placeholder.</p>
    </Screen>
  )
}
