import { type ComponentType, createContext } from 'react'
import type { Client } from '../contract.ts'

type ReportsDialogProps = { client: Client; opened: boolean; onClose: () => void }

/** The dialog of a client's reports. The app hands it in, because reports are about leads. */
export const ReportsDialogContext = createContext<ComponentType<ReportsDialogProps>>(() => null)
