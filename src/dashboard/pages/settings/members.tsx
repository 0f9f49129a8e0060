import { Menu, NativeSelect } from "@mantine/core"
import { IconLogout, IconUserMinus } from "@tabler/icons-react"
import { isMissing } from "../../api/http.ts"
import {
  changeRole,
  type GivenRole,
  leaveProject,
  type Member,
  type Role,
  removeProjectMember,
} from "../../api/projects.ts"
import { mayManage, useGoElsewhere, useSession } from "../../context/session.ts"
import { RowMenu } from "../../list/row-menu.tsx"
import { dropProject, refetchProjectMembers, useProjectMembers } from "../../queries/projects.ts"
import { useChange } from "../../queries/use-change.ts"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { confirm } from "../../ui/confirm.tsx"
import { Notice } from "../../ui/empty-state.tsx"
import { dayTime } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import { Section, Sections } from "../../ui/section.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import { AddMember } from "./add-member.tsx"
import styles from "./members.module.css"
import { givenRoles, roleNames } from "./roles.ts"

/** The members of the project. */
export default function Members() {
  const { project } = useSession()
  const query = useProjectMembers()
  const manages = mayManage(project) && !project.disabled
  return (
    <Sections>
      {manages && (
        <Section title="Add somebody" text="They need an account on this server first. What they may do is up to you.">
          <AddMember />
        </Section>
      )}
      <Section
        title="Members"
        text={
          <>
            Members work with contacts, mail, campaigns and templates. Admins also change settings, keys, domains and
            members, as the owner does.
            {!mayManage(project) && " The owner and the admins can add and remove members."}
          </>
        }
      >
        {query.data ? (
          <MemberTable members={query.data} manages={manages} />
        ) : query.isError ? (
          <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
        ) : null}
      </Section>
    </Sections>
  )
}

function MemberTable({ members, manages }: { members: readonly Member[]; manages: boolean }) {
  const now = useNow()
  const { user } = useSession()
  return (
    <table className={`${table.table} ${table.inSection} ${styles.table}`} aria-label="Members">
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">Role</th>
          <th scope="col" className={styles.since}>
            Since
          </th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {members.map((member) => {
          const isOneself = member.userId === user.id
          const isFixed = isOneself || member.role === "OWNER" || !manages
          return (
            <tr key={member.userId}>
              <td className={styles.address}>
                <div className={styles.who}>
                  <span className={styles.name} title={member.email}>
                    {member.email}
                  </span>
                  {isOneself && <span className={styles.you}>you</span>}
                </div>
              </td>
              <td>{isFixed ? roleNames[member.role] : <RoleField member={member} role={member.role} />}</td>
              <td className={`${table.quiet} ${styles.since}`}>
                <When at={member.createdAt} format={dayTime} now={now} />
              </td>
              <td className={styles.actions}>
                {isOneself ? member.role !== "OWNER" && <Leave /> : !isFixed && <Remove member={member} />}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function RoleField({ member: { userId, email }, role }: { member: Member; role: Role }) {
  const change = useChange({
    send: (projectId, next: GivenRole) => changeRole(projectId, userId, next),
    title: "Not changed",
    done: refetchProjectMembers,
    failed: (_cause, client, projectId) => refetchProjectMembers(client, projectId),
  })
  return (
    <NativeSelect
      className={styles.role}
      size="xs"
      aria-label={`Role of ${email}`}
      disabled={change.isRunning}
      value={role}
      data={givenRoles.map((value) => ({ value, label: roleNames[value] }))}
      onChange={({ currentTarget }) => {
        const next = givenRoles.find((one) => one === currentTarget.value)
        if (next) void change.run(next)
      }}
    />
  )
}

function Remove({ member: { userId, email } }: { member: Member }) {
  const { project } = useSession()
  const removal = useChange({
    send: (projectId) =>
      removeProjectMember(projectId, userId).catch((cause: unknown) => {
        // by a second click, or by another admin
        if (!isMissing(cause)) throw cause
      }),
    title: "Not removed",
    done: refetchProjectMembers,
    failed: (_cause, client, projectId) => refetchProjectMembers(client, projectId),
  })
  const ask = () =>
    confirm({
      title: `Remove ${email}?`,
      text: `They lose their access to ${project.name} at once. What they made stays. They may still know the secret key: make new keys if that matters.`,
      confirm: "Remove",
      onConfirm: () => void removal.run(),
    })
  return (
    <RowMenu of={email} width={180}>
      <MenuEntry danger icon={IconUserMinus} run={ask}>
        Remove
      </MenuEntry>
    </RowMenu>
  )
}

function Leave() {
  const { project, user } = useSession()
  const goElsewhere = useGoElsewhere()
  const leaving = useChange({
    send: leaveProject,
    title: "Not left",
    done(client, projectId) {
      // first, or the address without a project would lead back to this one
      dropProject(client, projectId)
      goElsewhere()
    },
  })
  const ask = () =>
    confirm({
      title: `Leave ${project.name}?`,
      text: "You lose your access at once. The owner or an admin can add you again.",
      confirm: "Leave",
      cancel: "Stay",
      onConfirm: () => void leaving.run(),
    })
  return (
    <RowMenu of={user.email} width={180}>
      <Menu.Label>You</Menu.Label>
      <MenuEntry danger icon={IconLogout} run={ask}>
        Leave the project
      </MenuEntry>
    </RowMenu>
  )
}
