import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { buildRecordPath } from '#contract/record-paths.ts'
import { callApi } from '#ui/data/api.ts'
import { readSessionToken } from '#ui/data/session-token.ts'
import { useApi } from '#ui/data/useApi.ts'
import { useVisit } from '#ui/data/useVisit.ts'
import { PublicLoading, PublicNotice } from '#ui/layout/PublicPage.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { statementDocumentContract } from '../contract.ts'
import { statementMessages } from '../labels.ts'
import { StatementView } from './StatementView.tsx'

/** The statement of the key in the URL, without a sign-in. */
export default function StatementPage() {
  const { key = '' } = useParams({ strict: false }) as { key?: string } // the route is /statement/$key
  const params = { key }
  const { data, error } = useApi(statementDocumentContract.read, { params }, { kept: true, quiet: true })
  useDocumentTitle(data?.number ? `Statement ${data.number}` : 'Statement')
  // Whether it was opened is of no importance to who reads it: a failure is not shown.
  useVisit(data !== undefined, () => void callApi(statementDocumentContract.opened, { params }).catch(() => {}))
  if (error)
    return (
      <PublicNotice title={error.status === 404 ? statementMessages.notFound : error.message}>
        <p>The link may have expired. Please ask the sender for a new one.</p>
      </PublicNotice>
    )
  if (!data) return <PublicLoading />
  return (
    <StatementView document={data} linkLead={linkLead}>
      <Button component="a" href={`/api/statement/${encodeURIComponent(key)}.pdf`} variant="default">
        PDF
      </Button>
      <Button variant="default" onClick={() => window.print()}>
        Print
      </Button>
    </StatementView>
  )
}

/** For who is signed in; others would be sent to the sign-in. */
const linkLead = (id: number, name: string) =>
  readSessionToken() ? <a href={buildRecordPath('lead', id)}>{name}</a> : name
