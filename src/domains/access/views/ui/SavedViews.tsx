import { Suspense } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import classes from './SavedViews.module.css'
import type { SavedViewsProps } from './view-tabs.ts'

// Lazy: the bar of every page imports this domain, and should not carry the tabs of lists.
const ViewTabs = lazyComponent(() => import('./ViewTabs.tsx'))

/** The views of a list as tabs above it. Where there are tabs for sure, their place is kept until they are loaded. */
export const SavedViews = (props: SavedViewsProps) => (
  <Suspense fallback={props.presets && <div className={classes.views} />}>
    <ViewTabs {...props} />
  </Suspense>
)
