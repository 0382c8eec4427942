package lexicon

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// glossary has words of programmers in German, French, Spanish, Chinese and Japanese, by the English words that code
// has for them. Words of Latin letters are beginnings, so that one stands for all its forms.
const glossary = `
add: hinzufüg ajout añad agreg 添加 追加
algorithm: algorithm algorit 算法 アルゴリズム
argument: argument 参数 引数
author: autor auteur 作者 著者
authenticate: authentifi autentic 认证 認証
buffer: puffer tampon búfer 缓冲 バッファ
build: baue bauen gebaut compil kompil construi 构建 编译 ビルド コンパイル
cache: zwischenspeich caché 缓存 キャッシュ
call: aufger aufruf ruft appel llam 调用 呼び出 呼ぶ
certificate: zertifik certificat certificad 证书 証明書
change: änder geänder chang modifi cambi 更改 修改 变更 変更
class: klasse classe clase 类 クラス
client: client klient client cliente 客户端 クライアント
close: schließ geschloss ferm cerr cierr 关闭 閉じ
command: befehl command comand 命令 コマンド
comment: kommentar commentaire comentar 注释 コメント
compress: komprim compress comprim 压缩 圧縮
config: konfigur einstellung configur 配置 设置 設定
connection: verbindung connexion conexión conexion 连接 接続
context: kontext context 上下文 コンテキスト
convert: umwandl konvert convert 转换 変換
copy: kopier copi 复制 コピー
create: erstell erzeug angelegt crée créé cré crea 创建 作成 生成
database: datenbank données datos 数据库 データベース
date: datum fecha 日期 日付
decode: dekodier décod decodific 解码 デコード
default: standardwert défaut defecto predeterminad 默认 デフォルト
delete: lösch gelösch supprim effac elimin borra 删除 削除
dependency: abhängig dépendanc dependenc 依赖 依存
directory: verzeichnis ordner dossier répertoire carpeta directorio 目录 文件夹 フォルダ ディレクトリ
encode: kodier encod codific 编码 エンコード
encrypt: verschlüssel chiffr cifra encript 加密 暗号
error: fehler erreur 错误 エラー
event: ereignis événement evento 事件 イベント
execute: führ ausführ ausgeführ exécut ejecut 执行 実行
file: datei fichier archivo fichero 文件 ファイル
filter: filter filtr 过滤 フィルタ
format: formatier format 格式 フォーマット
function: funktion fonction función funcion 函数 関数
handler: behandl gestionnaire manejador 处理 ハンドラ 処理
hash: streuwert hachage 哈希 ハッシュ
history: verlauf historique historial 历史 履歴
implement: implement implément 实现 実装
index: index índice 索引 インデックス
inherit: erb geerbt hérit hered 继承 継承
initialize: initialis inicializ 初始化 初期化
input: eingabe entrée entrada 输入 入力
interface: schnittstell interfaz 接口 インターフェース
key: schlüssel clé clef clave 键 密钥 キー
language: sprache langue langage idioma lenguaje 语言 言語
last: letzt zuletzt dernier dernière último última 最近 最后 最新
library: bibliothek bibliothèque librería biblioteca 库 ライブラリ
license: lizenz licence licencia 许可 ライセンス
limit: grenze begrenz limit límite 限制 制限
line: zeile ligne línea 行
list: liste list 列表 リスト
load: lade geladen lädt charg carg 加载 读取配置 読み込
lock: sperre verrou bloque 锁 ロック
log: protokoll journal registro 日志 ログ
match: übereinstimm abgleich correspond coincid 匹配 一致 マッチ
memory: speicher mémoire memoria 内存 メモリ
merge: zusammenführ fusion 合并 マージ
message: nachricht message mensaje 消息 メッセージ
method: methode méthode método 方法 メソッド
middleware: middleware 中间件 ミドルウェア
module: modul módulo 模块 モジュール
network: netzwerk réseau red 网络 ネットワーク
object: objekt objet objeto 对象 オブジェクト
open: öffn geöffn ouvr ouvert abr abiert 打开 開く
option: option opción opcion 选项 オプション
output: ausgabe sortie salida 输出 出力
parse: pars geparst analys analiz 解析 パース
password: passwort mot contraseña 密码 パスワード
path: pfad chemin ruta 路径 パス
pattern: muster motif patrón 模式 パターン
permission: berechtig autoris permis 权限 権限
plugin: erweiterung greffon extensión 插件 プラグイン
print: druck gedruck affich imprim 打印 表示
process: prozess processus proceso 进程 プロセス
project: projekt projet proyecto 项目 プロジェクト
proxy: proxy mandataire 代理 プロキシ
query: abfrage consulta 查询 クエリ
queue: warteschlange file cola 队列 キュー
reactive: reaktiv réactiv reactiv 响应式 リアクティブ
read: lese gelesen liest lire lit lee leer 读取 読み取
rename: umbenenn renomm renombr 重命名 名前変更
render: darstell rendu renderiz 渲染 レンダリング
request: anfrage requête petición solicitud 请求 リクエスト
response: antwort réponse respuesta 响应 レスポンス
result: ergebnis résultat resultado 结果 結果
retry: wiederhol réessa reintent 重试 リトライ
return: zurückgeb zurückgegeben renvo devuelv 返回 戻
reverse: umgekehrt invers inverse 反向 リバース
route: route routage ruta enrut 路由 ルーティング ルート
run: starte gestartet laufen lance lancer arranc 运行 启动 起動
save: speicher gespeichert sauvegard enregistr guard 保存
schedule: planer planif ordonnanc planific 调度 スケジュール
score: bewert punkt score puntua 评分 得分 スコア
search: such gesuch recherch cherch busc búsqueda 搜索 查找 検索
send: sende gesendet envo envía 发送 送信
server: server serveur servidor 服务器 サーバ
session: sitzung session sesión 会话 セッション
sign: signier signé firma 签名 署名
size: größe taille tamaño 大小 サイズ
sort: sortier gewichtet trié orden 排序 ソート
standard: standard estándar 标准 標準
string: zeichenkette chaîne cadena 字符串 文字列
task: aufgabe tâche tarea 任务 タスク
template: vorlage modèle gabarit plantilla 模板 テンプレート
test: test getest prueba 测试 テスト
thread: faden fil hilo 线程 スレッド
time: zeit temps tiempo 时间 時間
token: token jeton 令牌 トークン
type: typ tipo 类型 型
update: aktualisier jour actualiz 更新
upload: hochlad téléverse subir 上传 アップロード
use: benutz verwend utilis usa 使用
user: benutzer nutzer utilisateur usuario 用户 ユーザー
validate: prüf geprüft valid 验证 検証
value: wert valeur valor 值 値
variable: variable 变量 変数
version: version versión 版本 バージョン
virtual: virtuel 虚拟 仮想
wait: wart attend esper 等待 待
warning: warnung avertiss advertenc 警告
window: fenster fenêtre ventana 窗口 ウィンドウ
worker: arbeiter travailleur trabajador 工作线程 ワーカー
write: schreib geschrieben écri escrib escrit 写入 书写 書
what: was quoi quel qué 什么 何
who: wer qui quién 谁 誰
how: wie comment cómo 如何 怎么 怎样 どう`

// glossaryTerm is a word of the glossary in another language.
type glossaryTerm struct{ foreign, english string }

// glossaryTerms returns the beginnings of words in the glossary, and its words of languages without spaces, both with
// the longest first. They are made when they are first needed, so that the start is short.
var glossaryTerms = sync.OnceValues(func() (latin, dense []glossaryTerm) {
	for line := range strings.Lines(glossary) {
		english, foreign, _ := strings.Cut(line, ":")
		for _, word := range strings.Fields(foreign) {
			t := glossaryTerm{word, english}
			if isDense([]rune(word)[0]) {
				dense = append(dense, t)
			} else {
				latin = append(latin, t)
			}
		}
	}
	longest := func(a, b glossaryTerm) int { return len(b.foreign) - len(a.foreign) }
	slices.SortStableFunc(latin, longest)
	slices.SortStableFunc(dense, longest)
	return latin, dense
})

// isDense reports whether a letter is of a language that is written without spaces.
func isDense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Translate returns the English words of the glossary for a message, in their order, each once.
func Translate(message string) (english []string) {
	latinTerms, denseTerms := glossaryTerms()
	add := func(word string) {
		if !slices.Contains(english, word) {
			english = append(english, word)
		}
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(message), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			r != '_' && !unicode.IsDigit(r)
	}) {
		if !isDense([]rune(w)[0]) {
			if i := slices.IndexFunc(latinTerms, func(t glossaryTerm) bool { return begins(w, t.foreign) }); i >= 0 {
				add(latinTerms[i].english)
			}
			continue
		}
		for w != "" {
			i := slices.IndexFunc(denseTerms, func(t glossaryTerm) bool { return strings.HasPrefix(w, t.foreign) })
			if i >= 0 {
				add(denseTerms[i].english)
				w = w[len(denseTerms[i].foreign):]
			} else {
				w = string([]rune(w)[1:])
			}
		}
	}
	return english
}

// begins reports whether a word is a form of a term: short terms are whole words.
func begins(word, TermPattern string) bool {
	return word == TermPattern || len([]rune(TermPattern)) >= 4 && strings.HasPrefix(word, TermPattern)
}
