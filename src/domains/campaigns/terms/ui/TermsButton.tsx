import { IconReceipt } from '@tabler/icons-react'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ReadDialogButton } from '#ui/layout/ReadDialogButton.tsx'
import { termsContract } from '../contract.ts'

const TermsDialog = lazyComponent(() => import('./TermsDialog.tsx'))

/** Reads a campaign's current terms, then opens their dialog. `text` replaces the icon. */
export const TermsButton = ({ campaign, text }: { campaign: { id: number; name: string }; text?: string }) => (
  <ReadDialogButton
    label="Terms"
    icon={IconReceipt}
    text={text}
    load={() => callApi(termsContract.read, { params: { id: campaign.id } })}
  >
    {(start, close) => <TermsDialog campaign={campaign} start={start} onClose={close} />}
  </ReadDialogButton>
)
