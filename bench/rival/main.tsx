import '@mantine/core/styles.css'
import {
  ActionIcon,
  Badge,
  Checkbox,
  MantineProvider,
  NumberInput,
  Select,
  Switch,
  Table,
  TextInput,
} from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * The list of leads as a first draft would be: a library component in every cell, all rows in one state. The product's tables
 * are measured against it (bench/cells.ts).
 */
type Lead = Record<string, unknown> & { id: number }
declare global {
  interface Window {
    leads: Lead[]
  }
}

function Rival() {
  const [shown, setShown] = useState(false)
  const [leads, setLeads] = useState(window.leads)
  const [word, setWord] = useState('')
  const found = leads.filter((lead) => JSON.stringify(lead).toLowerCase().includes(word))
  const change = (id: number, field: string, value: unknown) =>
    setLeads((all) => all.map((lead) => (lead.id === id ? { ...lead, [field]: value } : lead)))
  return (
    <MantineProvider>
      <button type="button" onClick={() => setShown(!shown)}>
        Show
      </button>
      <TextInput aria-label="Search" value={word} onChange={({ target }) => setWord(target.value)} />
      {shown && (
        <Table striped highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ field }) => (
                <Table.Th key={field}>{field}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.map((lead) => (
              <Table.Tr key={lead.id}>
                {columns.map(({ field, kind }) => (
                  <Table.Td key={field}>{cell(kind, lead[field], (value) => change(lead.id, field, value))}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </MantineProvider>
  )
}

type Kind = 'text' | 'input' | 'number' | 'switch' | 'check' | 'select' | 'badge' | 'action'
const of = (kind: Kind, ...fields: string[]) => fields.map((field) => ({ field, kind }))
/** Thirty columns, of the kinds that the list of leads has. */
const columns = [
  ...of('check', 'id'),
  ...of('text', 'campaign_name', 'lead_date', 'lead_time', 'lead_type', 'lead_s', 'lead_location', 'lead_phone'),
  ...of('input', 'lead_name', 'lead_email', 'message', 'notes', 'company_name', 'client_notes'),
  ...of('number', 'client_value', 'client_profit', 'rating'),
  ...of('switch', 'confirmed', 'hide', 'notify', 'archived'),
  ...of('select', 'source', 'client_progress', 'answering_status'),
  ...of('badge', 'tags', 'call_type'),
  ...of('text', 'keywords', 'gclid', 'referrer'),
  ...of('action', 'edit'),
]

function cell(kind: Kind, value: unknown, change: (value: unknown) => void) {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (kind === 'input') return <TextInput size="xs" value={text} onChange={({ target }) => change(target.value)} />
  if (kind === 'number') return <NumberInput size="xs" value={text} onChange={change} />
  if (kind === 'switch') return <Switch checked={Boolean(value)} onChange={({ target }) => change(target.checked)} />
  if (kind === 'check') return <Checkbox />
  if (kind === 'select') return <Select size="xs" data={text ? [text] : []} value={text || null} onChange={change} />
  if (kind === 'badge') return <Badge>{text}</Badge>
  if (kind === 'action')
    return (
      <ActionIcon variant="subtle" aria-label="Edit">
        <IconPencil size={16} />
      </ActionIcon>
    )
  return text
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Rival />)
