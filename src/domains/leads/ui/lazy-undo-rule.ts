import { lazyComponent } from '#ui/data/lazy-part.ts'

/** Loaded lazily: the form is heavy and rarely used. */
export const LazyUndoRule = lazyComponent(async () => ({
  default: (await import('../spam/ui/UndoRule.tsx')).UndoRule,
}))
