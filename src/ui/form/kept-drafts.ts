type FormValues = Record<string, unknown>
/** A form with unsaved changes whose user’s session ended. */
type KeptDraft = { userId: number; title: string; start: FormValues; values: FormValues }

/** By form. In the memory of this page only: the browser stores nothing that a user typed, and closing the tab forgets it. */
const drafts = new Map<string, KeptDraft>()

export function keepDraft(form: string, draft: KeptDraft) {
  drafts.set(form, draft)
}

/** Returns what this user typed in that form; forgets what others typed. */
export function findDraft(form: string, userId: number | null): KeptDraft | null {
  for (const [key, draft] of drafts) if (draft.userId !== userId) drafts.delete(key)
  return drafts.get(form) ?? null
}

export function dropDraft(form: string) {
  drafts.delete(form)
}

/** Returns the titles of the dialogs that wait for this user. */
export const listDraftTitles = (userId: number | undefined): string[] =>
  [...drafts.values()].filter((draft) => draft.userId === userId).map(({ title }) => title)
