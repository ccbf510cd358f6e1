import { IconBook2, IconHelp, IconPlug, IconPlugConnected } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { staffOnly, superAdminOnly } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { appConfig, type EnvironmentName, useAgencyName } from '#ui/data/environment.ts'
import { type MenuEntry, mayOpenEntry, menuGroups } from '../ui/menu.ts'
import { guidePath } from './guide-address.ts'
import classes from './Sidebar.module.css'

type AppSidebarProps = { me: CurrentUserDto; collapsed: boolean; onFollow?: () => void }

const environmentLabels: Record<EnvironmentName, string> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
  test: 'Test',
}

/** The side menu. Its color and a chip show which installation this is. */
export function AppSidebar({ me, collapsed, onFollow }: AppSidebarProps) {
  const { routesByPath } = useRouter()
  const agencyName = useAgencyName()
  const shows = (entry: MenuEntry) => mayOpenEntry(me, entry) && entry.path in routesByPath
  const groups = menuGroups
    .map((group) => ({ ...group, entries: group.entries.filter(shows) }))
    .filter((group) => group.entries.length > 0)
  const word = environmentLabels[appConfig.environment]
  // Clients and handlers do not know about other installations.
  const isChipShown = me.isAdmin || appConfig.environment !== 'production'
  const shared = { collapsed, onFollow }

  return (
    <div className={classes.sidebar} data-environment={appConfig.environment} data-collapsed={collapsed || undefined}>
      <div className={classes.brand}>
        {!collapsed && <span>{agencyName}</span>}
        {isChipShown && (
          <span className={classes.chip} title={word}>
            {collapsed ? word.slice(0, 1) : word}
          </span>
        )}
      </div>
      <nav aria-label="Menu" className={classes.menu}>
        {groups.map((group) => (
          <div key={group.title} className={classes.group}>
            {group.title && !collapsed && <p className={classes.title}>{group.title}</p>}
            {group.entries.map((entry) => (
              <SidebarLink key={entry.path} entry={entry} exact {...shared} />
            ))}
          </div>
        ))}
      </nav>
      <div className={classes.outside}>
        {outsideEntries.map((entry) => entry.allow(me) && <SidebarLink key={entry.path} entry={entry} {...shared} />)}
        <ExternalLink
          href={appConfig.userGuideUrl ?? guidePath}
          label="User Guide"
          icon={IconBook2}
          collapsed={collapsed}
        />
        {appConfig.resourcesUrl && (
          <ExternalLink href={appConfig.resourcesUrl} label="Resources" icon={IconHelp} collapsed={collapsed} />
        )}
      </div>
    </div>
  )
}

/** What Leadline is connected to: it to others, and others to it. */
const outsideEntries = [
  { path: '/connections', label: 'Connections', allow: superAdminOnly, icon: IconPlug },
  { path: '/integrations', label: 'API & Webhooks', allow: staffOnly, icon: IconPlugConnected },
] as const

type SidebarLinkProps = {
  entry: Pick<MenuEntry, 'path' | 'label' | 'icon'>
  exact?: boolean
  collapsed: boolean
  onFollow: (() => void) | undefined
}

const SidebarLink = ({ entry: { path, label, icon: Icon }, exact = false, collapsed, onFollow }: SidebarLinkProps) => (
  <Link
    to={path}
    className={classes.entry}
    activeOptions={{ exact, includeSearch: false }}
    aria-label={label}
    title={collapsed ? label : undefined}
    onClick={onFollow}
  >
    <Icon size={18} stroke={1.75} aria-hidden="true" />
    {!collapsed && label}
  </Link>
)

type ExternalLinkProps = { href: string; label: string; icon: MenuEntry['icon']; collapsed: boolean }

/** A link that opens in a new tab. */
function ExternalLink({ href, label, icon: Icon, collapsed }: ExternalLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      className={classes.entry}
      aria-label={label}
      title={collapsed ? label : undefined}
    >
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      {!collapsed && label}
    </a>
  )
}
