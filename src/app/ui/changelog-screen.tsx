import { type ComponentProps, Suspense } from 'react'
import { NoteEffectContext } from '#domains/activity/changelog/ui/note-effect.ts'
import ChangelogScreen from '#domains/activity/changelog/ui/screen.tsx'
import { lazyComponent } from '#ui/data/lazy-part.ts'

// Only an open note shows it.
const ChangeEffectNote = lazyComponent(() => import('#domains/insights/why/ui/ChangeEffectNote.tsx'))

const EffectOfNote = (props: ComponentProps<typeof ChangeEffectNote>) => (
  <Suspense>
    <ChangeEffectNote {...props} />
  </Suspense>
)

/** The changelog, with the leads before and after each note. */
export default function ChangelogWithEffects() {
  return (
    <NoteEffectContext value={EffectOfNote}>
      <ChangelogScreen />
    </NoteEffectContext>
  )
}
