import { NoteEffectContext } from '#domains/activity/changelog/ui/note-effect.ts'
import ChangelogScreen from '#domains/activity/changelog/ui/screen.tsx'
import { ChangeEffectNote } from '#domains/insights/ui/public.ts'

/** The changelog, with the leads before and after each note. */
export default function ChangelogWithEffects() {
  return (
    <NoteEffectContext value={ChangeEffectNote}>
      <ChangelogScreen />
    </NoteEffectContext>
  )
}
