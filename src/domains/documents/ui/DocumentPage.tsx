import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailedPage } from '#domains/agency/ui/public.ts'
import type { ApiError } from '#ui/data/api.ts'
import { useVisit } from '#ui/data/useVisit.ts'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { documentMessages } from '../labels.ts'

type DocumentPageProps<Document> = {
  title: string
  data: Document | undefined
  error: ApiError | null
  notFound: string
  /** Says that a person reads it. */
  onVisit: () => Promise<unknown>
  pdf: ReactNode
  /** Draws the document with its buttons. */
  children: (document: Document, buttons: ReactNode) => ReactNode
}

/** The page of a document that a client opens by its link. */
export function DocumentPage<Document>(props: DocumentPageProps<Document>) {
  const { data, error } = props
  useDocumentTitle(props.title)
  // Whether it was opened is of no importance to who reads it: a failure is not shown.
  useVisit(data !== undefined, () => void props.onVisit().catch(() => {}))
  const failures: Record<number, string> = { 0: 'This page could not be loaded', 404: props.notFound }
  if (error)
    return (
      <FailedPage error={error} title={failures[error.status] ?? error.message}>
        <p>{documentMessages.expired}</p>
      </FailedPage>
    )
  if (!data) return <PublicLoading />
  return props.children(
    data,
    <>
      {props.pdf}
      <Button variant="default" onClick={() => window.print()}>
        Print
      </Button>
    </>,
  )
}

/** Opens its PDF, for which the key in the address is enough. */
export const DocumentLink = ({ href }: { href: string }) => (
  <Button component="a" href={href} variant="default">
    PDF
  </Button>
)
