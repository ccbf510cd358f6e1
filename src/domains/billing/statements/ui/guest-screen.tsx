import { buildRecordPath } from '#contract/record-paths.ts'
import { DocumentLink, DocumentPage } from '#domains/documents/ui/public.ts'
import { callApi } from '#ui/data/api.ts'
import { useLinkKey } from '#ui/data/link-key.ts'
import { readSessionToken } from '#ui/data/session-token.ts'
import { useApi } from '#ui/data/useApi.ts'
import { statementDocumentContract } from '../contract.ts'
import { statementMessages } from '../labels.ts'
import { StatementView } from './StatementView.tsx'

/** The statement of the key in the URL, without a sign-in. */
export default function StatementPage() {
  const key = useLinkKey()
  const params = { key }
  const { data, error } = useApi(statementDocumentContract.read, { params }, { kept: true, quiet: true })
  return (
    <DocumentPage
      title={data?.number ? `Statement ${data.number}` : 'Statement'}
      data={data}
      error={error}
      notFound={statementMessages.notFound}
      onVisit={() => callApi(statementDocumentContract.opened, { params })}
      pdf={<DocumentLink href={`/api/statement/${encodeURIComponent(key)}.pdf`} />}
    >
      {(document, buttons) => (
        <StatementView document={document} linkLead={linkLead}>
          {buttons}
        </StatementView>
      )}
    </DocumentPage>
  )
}

/** For who is signed in; others would be sent to the sign-in. */
const linkLead = (id: number, name: string) =>
  readSessionToken() ? <a href={buildRecordPath('lead', id)}>{name}</a> : name
