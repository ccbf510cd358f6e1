export { TermsButton } from '../terms/ui/TermsButton.tsx'
