import type { SignalDetector } from '../finding.ts'
import { capDetector } from './caps.ts'
import { connectionDetector } from './connections.ts'
import { certificateDetector, domainDetector } from './expiry.ts'
import {
  quarantineDetector,
  refusedMailDetector,
  refusedReportDetector,
  refusedStatementDetector,
  unassignedDetector,
} from './inboxes.ts'
import { lostLinkDetector, redirectDetector } from './links.ts'
import { changedListingDetector, googleAccountDetector, suspendedListingDetector } from './listings.ts'
import { rulesDetector } from './rules.ts'
import { silenceDetector } from './silence.ts'
import { leadlineOfflineDetector, siteDetector, uncheckedSiteDetector } from './sites.ts'
import { targetDetector } from './targets.ts'
import { taskDetector } from './tasks.ts'

/** All detectors, parents before the signals that they explain. `hooks_lost` is a silent source after a probe. */
export const signalDetectors: readonly SignalDetector[] = [
  leadlineOfflineDetector,
  connectionDetector,
  siteDetector,
  uncheckedSiteDetector,
  silenceDetector,
  certificateDetector,
  domainDetector,
  suspendedListingDetector,
  changedListingDetector,
  googleAccountDetector,
  redirectDetector,
  lostLinkDetector,
  quarantineDetector,
  unassignedDetector,
  refusedMailDetector,
  refusedStatementDetector,
  refusedReportDetector,
  taskDetector,
  targetDetector,
  capDetector,
  rulesDetector,
]
