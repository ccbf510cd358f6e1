import { ScreenFrame } from '#ui/layout/Screen.tsx'

/** A placeholder: the address of the page is specified, its content is not. */
export default function CPanelScreen() {
  return (
    <ScreenFrame title="cPanel">
      <p>This page is a placeholder.</p>
    </ScreenFrame>
  )
}
