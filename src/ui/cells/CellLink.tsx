import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { isPlainClick } from '../data/search-params.ts'

type CellLinkProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  href: string
  /** Returns the target of a click, if it may have changed since the link was rendered. */
  getHref?: () => string
}

/**
 * Links to a page of the app. A plain `<a>`: the router's own link listens to every change of the address, which is too slow for a
 * table with hundreds of links. An ordinary click stays in the app.
 */
export function CellLink({ href, getHref = () => href, children, ...attributes }: CellLinkProps) {
  const { history } = useRouter()
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    history.push(getHref())
  }
  return (
    <a {...attributes} href={href} onClick={follow}>
      {children}
    </a>
  )
}
