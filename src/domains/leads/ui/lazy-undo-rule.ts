import { lazyComponent } from '#ui/data/lazy-part.ts'

/** Its form is heavy, and few screens that name a rule take it back. */
export const LazyUndoRule = lazyComponent(async () => ({
  default: (await import('../spam/ui/UndoRule.tsx')).UndoRule,
}))
