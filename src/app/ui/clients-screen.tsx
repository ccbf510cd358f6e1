import { ReportsDialogContext } from '#domains/clients/ui/reports-dialog.ts'
import ClientsScreen from '#domains/clients/ui/screen.tsx'
import { ClientReportsDialog } from '#domains/reports/client-reports/ui/public.ts'

/** The clients, with the reports of each. */
export default function ClientsWithReports() {
  return (
    <ReportsDialogContext value={ClientReportsDialog}>
      <ClientsScreen />
    </ReportsDialogContext>
  )
}
