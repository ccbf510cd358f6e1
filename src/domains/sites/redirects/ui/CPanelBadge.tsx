import { ScreenFrame } from '#ui/layout/Screen.tsx'

/** A placeholder: its address is known, its content is not. */
export default function CPanelScreen() {
  return (
    <ScreenFrame title="cPanel">
      <p>This page is a placeholder.</p>
    </ScreenFrame>
  )
}
