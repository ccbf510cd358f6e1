import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The minimum that shows the rows of the list of leads: React, one request, a plain table. The baseline of bench/opening.ts. */
type Lead = Record<string, unknown> & { id: number }

function BarePage() {
  const [leads, setLeads] = useState<Lead[]>([])
  useEffect(() => {
    const token = /leadline_token=([^;]*)/.exec(document.cookie)?.[1] ?? ''
    fetch(`/api/leads/list/data${location.search}`, { headers: { authorization: `Bearer ${token}` } })
      .then((answer) => answer.json())
      .then(({ data }: { data: Lead[] }) => setLeads(data))
  }, [])
  return (
    <table>
      <tbody>
        {leads.map((lead, index) => (
          <tr key={lead.id} data-index={index}>
            {Object.entries(lead).map(([name, value]) => (
              <td key={name}>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

createRoot(document.getElementById('root') ?? document.body).render(<BarePage />)
