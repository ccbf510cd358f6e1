import { type KeyboardEvent, type ReactNode, useId } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import buttons from '#ui/layout/buttons.module.css'
import classes from './Tabs.module.css'

type TabListProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: ReactNode }[]
  chosen: Value
  choose: (value: Value) => void
  /** The prefix of the ids of tabs and panel, if there is a panel. */
  id?: string
  /** Smaller tabs, for use below other tabs. */
  isSmall?: boolean
}

/** Tabs without a panel. Arrow keys switch between them. */
export function TabList<Value extends string>({ label, tabs, chosen, choose, id, isSmall }: TabListProps<Value>) {
  const at = tabs.findIndex(({ value }) => value === chosen)

  function byKey(event: KeyboardEvent<HTMLElement>) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    choose(next.value)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.value}"]`)?.focus()
  }
  return (
    <div role="tablist" aria-label={label} className={isSmall ? classes.small : classes.tabs} onKeyDown={byKey}>
      {tabs.map(({ value, label: name }) => (
        <button
          key={value}
          type="button"
          role="tab"
          className={isSmall ? buttons.bare : undefined}
          id={id && `${id}-${value}`}
          data-tab={value}
          aria-selected={value === chosen}
          aria-controls={id && `${id}-panel`}
          tabIndex={value === chosen ? 0 : -1}
          onClick={() => choose(value)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

type ViewTabsProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: string }[]
  chosen: Value
  choose: (value: Value) => void
  /** The content of the chosen tab. */
  children: ReactNode
}

/** Tabs with a panel: a few views of one screen. */
export function ViewTabs<Value extends string>({ children, ...rest }: ViewTabsProps<Value>) {
  const id = useId()
  return (
    <>
      <TabList id={id} {...rest} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${rest.chosen}`} className={arrange.fill}>
        {children}
      </div>
    </>
  )
}
